"""The metrics in the text format of Prometheus: only numbers, never a code or an address."""

from __future__ import annotations

from signaling.node import Node

TOTALS = {
    "connections": "Connections taken.",
    "rooms": "Rooms made.",
    "joined": "Seats taken or taken again.",
    "frames": "Frames of clients.",
    "relayed": "Frames handed on to another seat.",
    "dropped": "Frames dropped unread, because a client sent too many.",
}
REASONS = {
    "refused": "Frames and connections refused, by reason.",
    "cut": "Clients cut off, by reason.",
    "ended": "Rooms ended, by reason.",
}


def metrics(node: Node) -> str:
    hub = node.hub
    lines: list[str] = []

    def add_metric(name: str, kind: str, text: str, *values: tuple[str, int]) -> None:
        lines.extend((f"# HELP speakeasy_{name} {text}", f"# TYPE speakeasy_{name} {kind}"))
        lines.extend(f"speakeasy_{name}{label} {value}" for label, value in values)

    add_metric("clients", "gauge", "Clients connected now.", ("", len(hub.clients)))
    add_metric("rooms", "gauge", "Rooms alive now.", ("", len(hub.rooms)))
    for name, text in TOTALS.items():
        add_metric(f"{name}_total", "counter", text, ("", hub.counts[name]))
    for name, text in REASONS.items():
        by_reason = sorted(
            (key.removeprefix(f"{name} "), hub.counts[key]) for key in hub.counts if key.startswith(f"{name} ")
        )
        add_metric(f"{name}_total", "counter", text, *((f'{{why="{why}"}}', count) for why, count in by_reason))
    add_metric("redis_up", "gauge", "Is Redis used and here?", ("", int(node.redis_state() == "up")))
    return "\n".join(lines) + "\n"
