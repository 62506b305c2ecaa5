"""The privacy and the cleaning up of a table by link: hidden addresses are sent to nobody, only the link is shared, and
no listener remains afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError, expect

from e2e.conftest import NewContext, wait_until_ready
from e2e.rooms import Person, play_until

DEAD_RELAY = "turn:127.0.0.1:9"  # a relay that never answers
#: records for each WebRTC connection that is used its transport policy, as the browser has it, and the types of the
#: candidates it found
RECORD_CONNECTIONS = """
window.policies = [];
window.found = [];
window.RTCPeerConnection = class extends window.RTCPeerConnection {
    setLocalDescription(...made) {
        window.policies.push(this.getConfiguration().iceTransportPolicy);
        this.addEventListener('icecandidate', ({candidate}) => candidate?.type && window.found.push(candidate.type));
        return super.setLocalDescription(...made);
    }
};
"""
POLICIES = "[...new Set(window.policies)]"
#: records the proxies of Python functions that are set as listeners on connections and stores of a table
RECORD_LISTENERS = """
window.given = [];
window.lines = [];
const note = (target, name, proxy) => {
    if (typeof proxy !== 'function' || !proxy.destroy) return;  // not Python's
    const one = {what: `${target.constructor.name} ${name}`, proxy, fired: false};
    if (proxy.type === undefined) {  // for one call: it destroys itself
        const destroy = proxy.destroy;
        proxy.destroy = () => { one.fired = true; destroy(); };
    }
    window.given.push(one);
    if (name === 'close') window.lines.push(target);
};
const whole = [RTCPeerConnection, RTCDataChannel, WebSocket];
const {addEventListener} = EventTarget.prototype;
EventTarget.prototype.addEventListener = function (name, proxy, ...rest) {
    if (whole.some(kind => this instanceof kind) || ['pagehide', 'pageshow'].includes(name)) note(this, name, proxy);
    return addEventListener.call(this, name, proxy, ...rest);
};
const set = (kind, name, ours) => {
    const found = Object.getOwnPropertyDescriptor(kind.prototype, name);
    Object.defineProperty(kind.prototype, name, {...found, set(proxy) {
        if (ours(this)) note(this, name, proxy);
        found.set.call(this, proxy);
    }});
};
for (const kind of [...whole, IDBRequest, IDBTransaction])
    for (const name of Object.getOwnPropertyNames(kind.prototype).filter(name => name.startsWith('on')))
        set(kind, name, () => true);
set(IDBOpenDBRequest, 'onupgradeneeded', () => true);
set(IDBDatabase, 'onversionchange', shelf => shelf.name === 'speakeasy-tables');
window.counted = name => window.given.filter(({what}) => what === name).length;
window.alive = () => window.given.filter(({proxy, fired}) => {
    try { return proxy.type !== undefined || !fired; } catch { return false; }  // who touches a destroyed one is told
}).map(({what}) => what);
"""
FAKE_SHARE_SHEET = """
window.shared = [];
navigator.share = async given => {
    window.shared.push(given);
    if (window.away) throw new DOMException('put away', 'AbortError');
};
"""
NO_SHARE_SHEET = "delete Navigator.prototype.share;"
NO_LISTENERS = "() => alive().length === 0"
#: deletes the database of the tables, as a newer page could do; an open connection to it would block that
DELETE_DATABASE = "() => { indexedDB.deleteDatabase('speakeasy-tables').onsuccess = () => { window.gone = true; }; }"


def sit_down(host: Person, guest: Person, site_with_endpoint: str) -> None:
    """Two at a table that begins."""
    guest.follow_link(host.open_table("p,p", site_with_endpoint))
    guest.sit(1)
    host.page.get_by_role("button", name="Begin").click()
    for person in (host, guest):
        expect(person.page.locator("#app")).to_have_attribute("data-screen", "table")


def hide_in_settings(hidden: Person, site_with_endpoint: str) -> None:
    """Asks for relayed connections only, in the player's settings. There is no relay, so no connection is made at
    all."""
    page = hidden.page
    page.goto(site_with_endpoint)
    wait_until_ready(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Relayed only").check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def hide_in_site(hidden: Person, site_with_endpoint: str) -> None:
    """Asks for relayed connections only, in the settings of the site, and names a relay: only that may be used."""
    servers = [{"urls": DEAD_RELAY, "username": "name", "credential": "password"}]
    settings = {"signaling": "/signaling", "ice": servers, "relay_only": True}
    hidden.page.route("**/assets/site.json", lambda route: route.fulfill(json=settings))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("hide", "policies"), [(hide_in_settings, []), (hide_in_site, ["relay"])])
def test_a_hidden_address_is_sent_to_no_other_device(
    new_context: NewContext, site_with_endpoint: str, hide: Callable[[Person, str], None], policies: list[str]
) -> None:
    """The endpoint carries the game instead, and the pages say so."""
    host, hidden = (Person(new_context(), script=RECORD_CONNECTIONS) for _ in range(2))
    hide(hidden, site_with_endpoint)
    sit_down(host, hidden, site_with_endpoint)

    def has_recorded_policies() -> bool:
        """Returns True once a connection was tried, if one is allowed at all. The host, which hides nothing, has found
        its own address then."""
        return not policies or (hidden.page.evaluate(POLICIES) and "host" in host.page.evaluate("window.found"))

    play_until(
        [host, hidden], lambda: has_recorded_policies() and all(person.entry_count() > 4 for person in (host, hidden))
    )
    assert hidden.page.evaluate(POLICIES) == policies
    assert hidden.page.evaluate("window.found") == []
    for person in (host, hidden):
        expect(person.page.locator(".net")).to_have_attribute("data-state", "relayed")
        expect(person.page.locator(".net")).to_have_attribute("aria-label", re.compile("in part relayed"))


def test_no_listener_remains_after_its_connection_or_the_table_is_closed(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    """Each listener would keep a connection, and with it the whole table, in memory as long as the page is open."""
    people = host, guest = [Person(new_context(), script=RECORD_LISTENERS) for _ in range(2)]
    sit_down(host, guest, site_with_endpoint)
    for kind in ("RTCDataChannel", "WebSocket"):  # each is lost once, and made anew
        for person in people:
            expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")
        guest.page.evaluate("kind => lines.filter(({constructor}) => constructor.name === kind).at(-1).close()", kind)
        guest.page.wait_for_function("kind => counted(`${kind} open`) > 1", arg=kind)
    play_until(people, lambda: all(person.entry_count() > 4 for person in people))
    for person in people:
        expect(person.page.locator(".net")).to_have_attribute("data-state", "direct")
        assert person.page.evaluate("alive().length") > 0
    for person in people:
        person.page.locator(".net").click()
        person.page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
        expect(person.page.locator("[data-screen=lobby]")).to_be_visible()
        # the database is opened three times: for saves, for the table, and in the lobby again for the list of tables
        person.page.wait_for_function("() => counted('IDBOpenDBRequest onupgradeneeded') > 2")
        with suppress(TimeoutError):  # the assertion below names the listeners
            person.page.wait_for_function(NO_LISTENERS)
        assert person.page.evaluate("alive()") == []
    guest.page.evaluate(DELETE_DATABASE)
    guest.page.wait_for_function("() => window.gone")


def test_the_share_sheet_gets_the_link_and_may_be_dismissed(new_context: NewContext, site_with_endpoint: str) -> None:
    host = Person(new_context(), script=FAKE_SHARE_SHEET)
    link, page = host.open_table("p,p", site_with_endpoint), host.page
    for away in (True, False):
        page.evaluate("away => { window.shared = []; window.away = away; }", away)
        page.get_by_role("button", name="Share").click()
        page.wait_for_function("() => shared.length > 0")
        page.get_by_role("button", name="Settings").click()  # by now the page has handled the result of sharing
        expect(page.get_by_role("dialog")).to_be_visible()
        expect(page.get_by_role("alert")).to_be_empty()
        page.keyboard.press("Escape")
        assert page.evaluate("shared") == [{"url": link}]


def test_a_browser_without_a_share_sheet_shows_no_share_button(
    new_context: NewContext, site_with_endpoint: str
) -> None:
    host = Person(new_context(), script=NO_SHARE_SHEET)
    host.open_table("p,p", site_with_endpoint)
    expect(host.page.get_by_role("button", name="Show as a code")).to_be_visible()
    expect(host.page.get_by_role("button", name="Share")).to_have_count(0)
