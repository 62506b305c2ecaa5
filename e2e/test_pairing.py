"""Tables by link without an endpoint, on a bare static host: pairing with two codes for each guest."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from e2e.axe import findings
from e2e.conftest import NewContext, wait_until_ready
from e2e.rooms import Person, play_until
from peer.channels import invite as codes
from peer.channels import sdp


def read_code(page: Page, name: str) -> str:
    shown = page.get_by_label(name, exact=True)
    expect(shown).to_be_visible()
    return shown.inner_text()


def make_code(host: Page, site: str) -> None:
    """Opens a table and makes a code."""
    host.goto(site)
    wait_until_ready(host)
    host.get_by_role("button", name="Play by link").click()
    host.get_by_role("button", name="Make a code for a guest").click()


def connect_guest(host: Page, guest: Page, site: str) -> None:
    """Connects a guest: brings the host's code to the guest and the guest's code to the host."""
    host.get_by_role("button", name="Make a code for a guest").click()
    guest.goto(f"{site}#o={read_code(host, 'Your code for the guest')}")
    wait_until_ready(guest)
    assert findings(guest) == []
    reply = read_code(guest, "Your code for the host")
    assert len(reply) < 220
    host.get_by_label("The code the guest gave back").fill(reply)
    host.keyboard.press("Enter")
    expect(guest.locator(".room .seats li").first).to_be_visible()


def test_two_codes_connect_each_guest_and_the_opener_connects_the_guests(new_context: NewContext, site: str) -> None:
    people = [Person(new_context()) for _ in range(3)]
    host, *guests = people
    host.page.goto(site)
    wait_until_ready(host.page)
    host.set_seats(["p", "p", "p"])
    host.page.get_by_role("button", name="Play by link").click()
    # the site names no STUN server
    expect(host.page.get_by_text("These codes work within one network only")).to_be_visible()
    for seat, guest in enumerate(guests, 1):
        connect_guest(host.page, guest.page, site)
        guest.sit(seat)
    assert findings(host.page) == []
    host.page.get_by_role("button", name="Begin").click()
    for person in people:
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    play_until(people, lambda: all(person.entry_count() > 8 for person in people))
    for person in people:
        expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")


def hide_address(page: Page) -> None:
    """Asks for relayed connections only, with a relay that never answers."""
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Relayed only").check()
    servers = page.get_by_label("By link, servers that help to connect")
    servers.fill("turn:127.0.0.1:9 name password")
    servers.press("Enter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_codes_contain_no_addresses_if_addresses_are_hidden(new_context: NewContext, site: str) -> None:
    host, guest = Person(new_context()).page, Person(new_context()).page
    for page in (host, guest):
        page.goto(site)
        wait_until_ready(page)

    def offered() -> str:
        host.get_by_role("button", name="Play by link").click()
        host.get_by_role("button", name="Make a code for a guest").click()
        return read_code(host, "Your code for the guest")

    _, offer = codes.read_offer(offered())
    assert sdp.HOST in {address.type for address in sdp.unpack(offer).addresses}
    host.get_by_role("button", name="Leave the table").click()
    hide_address(host)
    hide_address(guest)
    hidden = offered()
    _, offer = codes.read_offer(hidden)
    assert sdp.unpack(offer).addresses == ()
    guest.goto(f"{site}#o={hidden}")
    wait_until_ready(guest)
    reply = codes.read_reply(read_code(guest, "Your code for the host"))
    assert sdp.unpack(reply).addresses == ()


def test_an_invalid_code_is_refused_with_a_message(new_context: NewContext, site: str) -> None:
    host = Person(new_context())
    make_code(host.page, site)
    host.page.get_by_label("The code the guest gave back").fill("hello")
    host.page.keyboard.press("Enter")
    expect(host.page.get_by_role("alert")).to_contain_text("not one of the two codes")


def test_a_guest_whose_code_was_not_entered_starts_over_with_new_codes(new_context: NewContext, site: str) -> None:
    host, guest = Person(new_context()).page, Person(new_context()).page
    make_code(host, site)
    first = read_code(host, "Your code for the guest")
    guest.goto(f"{site}#o={first}")
    wait_until_ready(guest)
    stale = read_code(guest, "Your code for the host")
    expect(guest.get_by_text("Your code waits to be entered there")).to_be_visible()
    guest.get_by_role("button", name="Begin again").click()
    expect(guest.get_by_text("two codes bring you to the table")).to_be_visible()
    assert findings(guest) == []
    host.get_by_role("button", name="Make a fresh code").click()
    expect(host.get_by_label("Your code for the guest", exact=True)).not_to_have_text(first)
    guest.get_by_label("The code you were given").fill(read_code(host, "Your code for the guest"))
    guest.keyboard.press("Enter")
    reply = read_code(guest, "Your code for the host")
    assert reply != stale
    host.get_by_label("The code the guest gave back").fill(reply)
    host.keyboard.press("Enter")
    expect(guest.locator(".room .seats li").first).to_be_visible()


def test_a_code_of_another_table_does_not_end_a_running_game(new_context: NewContext, site: str) -> None:
    host, guest, other = (Person(new_context()) for _ in range(3))
    for person in (host, other):
        person.page.goto(site)
        wait_until_ready(person.page)
        person.set_seats(["p", "p"])
        person.page.get_by_role("button", name="Play by link").click()
    other.page.get_by_role("button", name="Make a code for a guest").click()
    connect_guest(host.page, guest.page, site)
    guest.sit(1)
    host.page.get_by_role("button", name="Begin").click()
    for person in (host, guest):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    address = guest.page.url
    guest.page.locator(".net").click()
    guest.page.get_by_text("Without the meeting point").click()
    guest.page.get_by_label("The code you were given").fill(read_code(other.page, "Your code for the guest"))
    guest.page.keyboard.press("Enter")
    expect(guest.page.get_by_role("alert")).to_contain_text("This code is of another table")
    guest.page.keyboard.press("Escape")
    assert guest.page.url == address
    play_until([host, guest], lambda: all(person.entry_count() > 6 for person in (host, guest)))


#: a fake camera; a fake detector reads from it the code that the test sets as `window.held`
CAMERA = """
if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => {
    const screen = document.createElement('canvas');
    screen.getContext('2d').fillRect(0, 0, 300, 150);
    const stream = screen.captureStream(10);
    setInterval(() => screen.getContext('2d').fillRect(0, 0, 300, 150), 100);
    window.filmed = stream;
    return stream;
};
window.BarcodeDetector = class {
    async detect(picture) {
        return picture.srcObject === window.filmed && window.held ? [{rawValue: window.held}] : [];
    }
};
"""


def test_codes_are_scanned_if_the_browser_can_read_them(new_context: NewContext, site: str) -> None:
    host, guest = Person(new_context(), script=CAMERA).page, Person(new_context(), script=CAMERA).page
    make_code(host, site)
    guest.goto(f"{site}#o={read_code(host, 'Your code for the guest')}")
    wait_until_ready(guest)
    reply = read_code(guest, "Your code for the host")
    host.get_by_role("button", name="Scan the code").click()
    expect(host.get_by_label("What the camera sees")).to_be_visible()
    assert findings(host) == []
    host.keyboard.press("Escape")  # closes the dialog, which switches the camera off
    expect(host.get_by_role("dialog")).to_have_count(0)
    host.get_by_role("button", name="Scan the code").click()
    host.evaluate("held => { window.held = held }", reply)
    expect(guest.locator(".room .seats li").first).to_be_visible()
    expect(host.get_by_role("dialog")).to_have_count(0)
    assert host.evaluate("window.filmed.getTracks().every(track => track.readyState === 'ended')")


NO_BARCODE_DETECTOR = "delete window.BarcodeDetector;"


def test_codes_are_pasted_if_the_browser_cannot_read_them(new_context: NewContext, site: str) -> None:
    """There is no button for what the browser cannot do."""
    permissions = ["clipboard-read", "clipboard-write"]
    host, guest = (Person(new_context(permissions=permissions), script=NO_BARCODE_DETECTOR).page for _ in range(2))
    make_code(host, site)
    guest.goto(f"{site}#o={read_code(host, 'Your code for the guest')}")
    wait_until_ready(guest)
    guest.get_by_role("button", name="Copy the code").click()
    expect(guest.get_by_text("Copied.")).to_be_visible()
    field = host.get_by_label("The code the guest gave back")
    expect(field).to_have_attribute("placeholder", "Paste it here")
    expect(host.get_by_role("button", name="Scan the code")).to_have_count(0)
    field.press("ControlOrMeta+v")
    field.press("Enter")
    expect(guest.locator(".room .seats li").first).to_be_visible()


FAKE_SHARE_SHEET = """
window.shared = [];
navigator.share = async given => { window.shared.push(given); };
"""


def test_codes_are_given_to_the_share_sheet(new_context: NewContext, site: str) -> None:
    """The offer is shared as a link; the reply is shared as text, because it is no address."""
    host, guest = (Person(new_context(), script=FAKE_SHARE_SHEET).page for _ in range(2))
    make_code(host, site)
    link = f"{site}#o={read_code(host, 'Your code for the guest')}"
    guest.goto(link)
    wait_until_ready(guest)
    for page, given in ((host, {"url": link}), (guest, {"text": read_code(guest, "Your code for the host")})):
        page.get_by_role("button", name="Share").click()
        page.wait_for_function("() => shared.length > 0")
        assert page.evaluate("shared") == [given]
        assert findings(page) == []


#: a detector that cannot read these codes on this machine, and fails only when it is created
FAILING_DETECTOR = (
    CAMERA + "window.BarcodeDetector = class { constructor() { throw new TypeError('no such format'); } };"
)
LIVE_TRACKS = "(window.filmed?.getTracks() ?? []).filter(track => track.readyState === 'live').length"


def test_the_camera_is_off_and_a_message_shown_if_codes_cannot_be_read(new_context: NewContext, site: str) -> None:
    host = Person(new_context(), script=FAILING_DETECTOR).page
    make_code(host, site)
    host.get_by_role("button", name="Scan the code").click()
    expect(host.get_by_role("alert")).to_contain_text("The code can be pasted too")
    assert host.evaluate(LIVE_TRACKS) == 0
    expect(host.get_by_label("What the camera sees")).to_have_count(0)
    host.get_by_label("The code the guest gave back").click()


def test_a_device_that_reloads_during_a_game_returns_by_two_codes(new_context: NewContext, site: str) -> None:
    """Regression test: both pages waited for each other, and neither offered a code."""
    host, guest = Person(new_context()), Person(new_context())
    host.page.goto(site)
    wait_until_ready(host.page)
    host.set_seats(["p", "p"])
    host.page.get_by_role("button", name="Play by link").click()
    connect_guest(host.page, guest.page, site)
    guest.sit(1)
    host.page.get_by_role("button", name="Begin").click()
    for person in (host, guest):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")
    guest.page.reload()
    wait_until_ready(guest.page)
    expect(guest.page.locator("#app")).to_have_attribute("data-screen", "table")
    for person in (host, guest):
        person.page.locator(".net").click()
    host.page.get_by_role("button", name="Make a code for a guest").click()
    guest.page.get_by_label("The code you were given").fill(read_code(host.page, "Your code for the guest"))
    guest.page.keyboard.press("Enter")
    host.page.get_by_label("The code the guest gave back").fill(read_code(guest.page, "Your code for the host"))
    assert findings(guest.page) == []
    host.page.keyboard.press("Enter")
    for person in (host, guest):
        expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")
        person.page.keyboard.press("Escape")
    play_until([host, guest], lambda: all(person.entry_count() > 6 for person in (host, guest)))
