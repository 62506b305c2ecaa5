"""Names that look alike at a table by link: they are found, marked on every page, and their people are told."""

from __future__ import annotations

import unicodedata
from itertools import combinations

import pytest

from engine.seats import checked_name
from peer.table.lobby import Spot
from tests.peer.simulation.in_memory import Network, simulated
from tests.peer.simulation.page import TEXTS, Page
from tests.peer.table.test_page import leave, open_table, play_until, seat_guests
from tests.ui.boards.games import all_nodes
from ui.text.confusables import CONFUSABLES
from ui.text.lookalikes import Arrivals, lookalikes, skeletons
from ui.text.names import SIGN, given_name, shown_names

CYRILLIC = "\N{CYRILLIC CAPITAL LETTER TE}heo"
GREEK = "\N{GREEK CAPITAL LETTER TAU}he\N{GREEK SMALL LETTER OMICRON}"
MARKED = f"{SIGN}\N{NO-BREAK SPACE}"


def look_alike(first: str, second: str) -> bool:
    alike = lookalikes((first, second), (0, 1))
    assert lookalikes((second, first), (0, 1)) == alike
    assert alike in ({}, {1: 0})
    return bool(alike)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Theo", CYRILLIC),
        ("Theo", GREEK),
        ("THEO", "\u0422\u041d\u0415\u041e"),  # Cyrillic capitals
        ("theo", "\u03a4\u0397\u0395\u039f"),  # Greek capitals beside small letters
        ("Theo", "\uff34\uff48\uff45\uff4f"),  # full width
        ("Theo", "\U0001d413heo"),  # mathematical
        ("Theo", "\u24c9heo"),  # in a circle
        ("Theo", "THEO"),
        ("Theo", "The0"),
        ("Theo", "Theo."),
        ("Theo", "T\u034fheo"),  # an invisible joiner
        ("Theo", "Theo\ufe0f"),  # a variation selector
        ("Armen", "\u0410rmen"),
        ("Uona", "\u054dona"),  # Armenian
        ("Bill", "BiII"),
        ("Bill", "Bi11"),
        ("Ian", "lan"),
        ("Ian", "1an"),
        ("Ian", "\u0406an"),
        ("IAN", "\u0406an"),
        ("Paul", "PAU1"),
        ("Tom", "Torn"),
        ("\u0412\u0435\u0440\u0430", "Bepa"),  # a Cyrillic name in Latin letters
        ("\u039d\u03af\u03ba\u03bf\u03c2", "N\u03af\u03ba\u03bf\u03c2"),  # a Greek name with one Latin letter
        ("\u00d3la", "\u041e\u0301la"),  # with an accent on a Cyrillic letter
        ("Theo 2", f"{CYRILLIC} 2"),
        ("Theo", "Theo"),
        ("!?", "!?"),
    ],
)
def test_names_that_look_alike_are_found(first: str, second: str) -> None:
    assert look_alike(first, second)


HONEST = {
    "Latin": "Ola Óla Öla Őla Ala Ela Anna Ana Hanna Ádám Adam Arno Arnold Amy Áron Aron Csaba Zsófia Zsofia Zsófi Éva "
    "Eva Ewa Ági Agi Márton Marton Jan Jana Ian Ivan Iwan Lan Ilse Elsa Else Łukasz Lukasz Żaneta Zaneta Michał Michal "
    "Hélène Helene Zoé Zoe Zoë Léa Lea Leo Loïc Chloé Noé Noe François Francois Jean-Luc Joost Joris Sjoerd Daan Dan "
    "Lieke Lieve Miep Mies Tim Tom Jim Jon John Max Mac Marc Mark Erik Eric Øla Olaf Åse Ase Þóra Þór Björn Bjorn "
    "Đorđe Gül Gul Theo Thea 7 8 3",
    "Cyrillic": "Иван Ивана Анна Ана Вера Варя Виктор Саша Маша Миша Даша Олег Ольга Оля Юля Юлия Лена Елена Алена "
    "Алёна Дима Дина Нина Инна",
    "Greek": "Σοφία Μαρία Γιώργος Νίκος Νίκη Ελένη Δημήτρης Κώστας Άννα Γιάννης",
    "Chinese and others": "小明 小红 小紅 大明 明 王芳 王方 李明 李娜 张伟 張偉 さくら さくや タロウ 김민준",
    "Arabic and others": "محمد محمود أحمد احمد علي عمر فاطمة هدى نور نورا שרה שירה דוד דנה נועה नेहा रवि สมชาย",
}


@pytest.mark.parametrize("script", HONEST)
def test_honest_names_do_not_look_alike(script: str) -> None:
    """Accents make names different: Ola and Óla are two people."""
    names = HONEST[script].split()
    assert [checked_name(name, ()) for name in names] == [unicodedata.normalize("NFC", name) for name in names]
    assert [pair for pair in combinations(names, 2) if look_alike(*pair)] == []


def test_scripts_are_compared_with_each_other_only_where_they_look_alike() -> None:
    names = [name for text in HONEST.values() for name in text.split()]
    assert [pair for pair in combinations(names, 2) if look_alike(*pair)] == []


def test_every_later_name_is_marked_with_the_first_one_it_looks_like() -> None:
    names = ("Vera", CYRILLIC, "Theo", GREEK, "Ann")
    assert lookalikes(names, range(5)) == {2: 1, 3: 1}
    assert lookalikes(names, (4, 3, 2, 1, 0)) == {2: 3, 1: 3}
    assert lookalikes(names, (1, 4)) == {}


def test_the_sign_of_a_name_counts_the_earlier_ones_that_look_like_the_same_name() -> None:
    names = ("Vera", CYRILLIC, "Theo", GREEK, "Ann")
    shown = shown_names(names, lookalikes(names, (4, 2, 3, 1, 0)))
    assert shown == ("Vera", f"{SIGN}{MARKED}{CYRILLIC}", "Theo", MARKED + GREEK, "Ann")
    assert tuple(map(given_name, shown)) == names


def test_the_table_replaces_no_ascii_and_nothing_that_is_replaced() -> None:
    lines = [line.partition(": ") for line in CONFUSABLES.strip().split("\n")]
    prototypes = {chr(int(number, 16)) for start, _, _ in lines for number in start.split()}
    characters = [chr(int(number, 16)) for _, _, end in lines for number in end.split()]
    assert len(characters) == len({*characters}) > 900
    assert not any(character.isascii() for character in characters)
    assert prototypes.isdisjoint(characters)
    assert skeletons("\u0430\u0435\u0456\u043e\u0440\u0441\u0443\u0445").as_written == "aeiopcyx"


def spots(*names: str) -> list[Spot]:
    """Returns seats: "device:name", without a device for a bot, or "" for a free seat."""
    made = [name.partition(":") for name in names]
    return [Spot(name, "rose", "p" if device or not name else "b1", device) for device, _, name in made]


def test_the_name_that_was_there_first_stays_unmarked() -> None:
    arrivals = Arrivals()
    arrivals.note(spots("", "", "ann:Theo"), "host")
    late = spots(f"bob:{CYRILLIC}", "", "ann:Theo")
    arrivals.note(late, "host")
    assert arrivals.lobby_lookalikes(late) == {0: 2}
    assert arrivals.game_lookalikes((CYRILLIC, "Vera", "Theo"), (1, 0, 2)) == {0: 2}


def test_a_person_who_changes_seats_has_not_come_later() -> None:
    arrivals = Arrivals()
    for step in (("ann:Theo", "", ""), ("ann:Theo", f"bob:{CYRILLIC}", ""), ("", f"bob:{CYRILLIC}", "")):
        arrivals.note(spots(*step), "host")
    assert arrivals.lobby_lookalikes(spots("", f"bob:{CYRILLIC}", "")) == {}
    back = spots("", f"bob:{CYRILLIC}", "ann:Theo")
    arrivals.note(back, "host")
    assert arrivals.lobby_lookalikes(back) == {1: 2}


def test_many_names_do_not_push_out_those_that_are_present() -> None:
    arrivals = Arrivals()
    for number in range(3 * Arrivals.MOST):
        arrivals.note(spots("ann:Theo", f"bob:Name {number}"), "host")
    last = spots("ann:Theo", f"bob:{CYRILLIC}")
    arrivals.note(last, "host")
    assert arrivals.lobby_lookalikes(last) == {1: 0}
    assert len(arrivals._seen) <= Arrivals.MOST


def test_a_device_that_saw_nobody_come_takes_the_opener_for_the_first() -> None:
    arrivals = Arrivals()
    seen = spots(f"bob:{CYRILLIC}", "host:Theo", f":{GREEK}")
    arrivals.note(seen, "host")
    assert arrivals.lobby_lookalikes(seen) == {2: 1, 0: 1}
    assert Arrivals().game_lookalikes((CYRILLIC, "Theo", GREEK), (1, 0, 0)) == {2: 1, 0: 1}
    assert Arrivals().game_lookalikes((CYRILLIC, "Theo"), (1, 1)) == {1: 0}


def notice_text(page: Page) -> str:
    notice = page.model.notice
    return page.model.t(notice.key, **notice.values) if notice is not None else ""


def told(page: Page) -> str:
    """Returns what the page says beside the own name."""
    return " ".join(node.text for node in all_nodes(page.shown) if node.tag == "p" and "alike" in str(node.attrs))


@simulated
async def test_a_name_that_looks_like_another_is_marked_and_its_person_told() -> None:
    network = Network()
    host, guest, other = pages = await seat_guests(network, await open_table(network, "p,p,p"), 2)
    assert not any(SIGN in page.text for page in pages)
    yours = TEXTS("room.alike.yours", who="Theo")
    guest.send("room.sit", "1", CYRILLIC)
    await network.until(lambda: all(page.model.room.news.spots[1].name == CYRILLIC for page in pages))
    for page in (host, other):
        assert MARKED + CYRILLIC in page.text
        assert TEXTS("room.alike", who="Theo") in page.text
        assert (notice_text(page), told(page)) == ("", "")
    assert (notice_text(guest), told(guest)) == (yours, yours)
    guest.send("room.sit", "1", "Vera")
    await network.until(lambda: all(page.model.room.news.spots[1].name == "Vera" for page in pages))
    assert not any(SIGN in page.text for page in pages)
    assert (notice_text(guest), told(guest)) == ("", "")
    leave(pages)


@simulated
async def test_a_host_who_takes_a_name_like_a_guests_is_the_later_one() -> None:
    """The seat does not matter, as far as a device saw who came first."""
    network = Network()
    host, guest = pages = await seat_guests(network, await open_table(network, "p,p"), 1)
    await network.until(lambda: guest.model.room.news.spots[1].name == "Guest 1")
    host.send("room.sit", "0", "Guest l")
    yours = TEXTS("room.alike.yours", who="Guest 1")
    await network.until(lambda: notice_text(host) == yours)
    await network.until(lambda: SIGN in guest.text)
    assert notice_text(guest) == ""
    late = Page(network)
    late.send("visited", value=host.model.room.news.fragment)
    await network.until(lambda: late.model.room is not None and late.model.room.news.phase == "lobby")
    assert late.model.room.names[0] == late.model.room.news.spots[0].name  # it takes the opener for the first
    assert late.model.room.names[1] == MARKED + "Guest 1"
    leave([*pages, late])


@simulated
async def test_the_mark_is_in_the_game_in_its_log_in_chat_and_in_notices() -> None:
    network = Network()
    host, guest = pages = await seat_guests(network, await open_table(network, "p,p,b2"), 1)
    guest.send("room.sit", "1", CYRILLIC)
    await network.until(lambda: host.model.room.news.spots[1].name == CYRILLIC)
    host.send("room.begin")
    await network.until(lambda: all(page.model.play is not None for page in pages))
    shown, spoken = MARKED + CYRILLIC, f"{CYRILLIC} ({TEXTS('room.alike', who='Theo')})"
    for page in pages:
        assert page.model.play is not None
        names = [chair.name for chair in page.model.play.header.chairs]
        assert names[:2] == ["Theo", shown]
        assert SIGN not in names[2]
    await play_until(network, pages, 12)
    for page in pages:
        lines = [node for node in all_nodes(page.shown) if node.tag == "li" and shown in texts(node)]
        assert any(spoken in texts(node) for node in lines)
        aloud = [node for node in all_nodes(page.shown) if node.attrs.get("role") == "log" and node.key == "heard"]
        assert SIGN not in texts(*aloud)
        page.send("dialog", "room")
        assert TEXTS("room.alike", who="Theo") in page.text
    guest.send("room.text", value="good evening")
    await network.until(lambda: len(host.model.room.chat) == 1)
    assert host.model.room.chat[0].sender == shown
    assert notice_text(host).startswith(shown)
    leave(pages)


def texts(*nodes: object) -> str:
    return " ".join(one.text for node in nodes for one in all_nodes(node) if one.text)


@simulated
async def test_a_game_that_goes_on_alone_has_the_names_as_they_were_given() -> None:
    network = Network()
    host, guest = pages = await seat_guests(network, await open_table(network, "p,p"), 1)
    guest.send("room.sit", "1", CYRILLIC)
    await network.until(lambda: host.model.room.news.spots[1].name == CYRILLIC)
    host.send("room.begin")
    await network.until(lambda: all(page.model.play is not None for page in pages))
    assert host.model.play is not None
    guest.table.leave()
    await network.until(lambda: host.model.room.news.seated[1].state == "gone")
    host.send("room.fork")
    await network.until(lambda: host.take_overs)
    assert [chair.name for chair in host.take_overs[0].header.chairs] == ["Theo", CYRILLIC]
    leave([host])


@simulated
async def test_names_given_on_one_device_are_not_marked() -> None:
    """Nobody is deceived by names that were typed on the same device; equal ones are refused there."""
    page = Page(Network())
    page.send("seat.name", "1", CYRILLIC)
    assert page.model.setup.chairs[0].name == "Theo"
    assert page.model.setup.chairs[1].name == CYRILLIC
    assert SIGN not in page.text
