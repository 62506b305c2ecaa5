"""Ed25519 (RFC 8032) and X25519 (RFC 7748) in plain Python, used where no native code can be called synchronously.

Not constant-time: it runs in the player's own browser tab or in a test, never in a service whose timing strangers can
measure.
"""

from __future__ import annotations

from hashlib import sha512

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)  # a square root of -1

Point = tuple[int, int, int, int]  # extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z

NEUTRAL: Point = (0, 1, 1, 0)


def add(p: Point, q: Point) -> Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p: Point) -> Point:
    a, b = p[0] * p[0] % P, p[1] * p[1] % P
    c = 2 * p[2] * p[2] % P
    h = a + b
    e = h - (p[0] + p[1]) * (p[0] + p[1]) % P
    g = a - b
    f = c + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar: int, point: Point) -> Point:
    result = NEUTRAL
    for bit in bin(scalar)[2:]:
        result = double(result)
        if bit == "1":
            result = add(result, point)
    return result


def equal(p: Point, q: Point) -> bool:
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def _recover_x(y: int, sign: int) -> int | None:
    """Returns the x coordinate for `y` and the parity of x, or None if no such point is on the curve."""
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * SQRT_MINUS_ONE % P
    if (x * x - square) % P or (not x and sign):
        return None
    return P - x if x & 1 != sign else x


def compress(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decompress(data: bytes) -> Point | None:
    if len(data) != 32:
        return None
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = _recover_x(y, sign)
    return None if x is None else (x, y, 1, x * y % P)


_BASE_Y = 4 * pow(5, P - 2, P) % P
_BASE_X = _recover_x(_BASE_Y, 0) or 0
BASE: Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % P)


def _base_doublings() -> list[Point]:
    """Returns 2**0 … 2**255 times the base point, so that signing needs only additions."""
    doublings = [BASE]
    for _ in range(255):
        doublings.append(double(doublings[-1]))
    return doublings


BASE_DOUBLINGS = _base_doublings()


def multiply_base(scalar: int) -> Point:
    result = NEUTRAL
    for power in BASE_DOUBLINGS:
        if scalar & 1:
            result = add(result, power)
        scalar >>= 1
    return result


def _expand(secret: bytes) -> tuple[int, bytes]:
    """Returns the scalar and the nonce key of a secret seed."""
    digest = sha512(secret).digest()
    return _clamp(digest[:32]), digest[32:]


def _clamp(data: bytes) -> int:
    return int.from_bytes(data, "little") & ((1 << 254) - 8) | (1 << 254)


def _challenge(*parts: bytes) -> int:
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little") % ORDER


def public_key(secret: bytes) -> bytes:
    return compress(multiply_base(_expand(secret)[0]))


def sign(secret: bytes, data: bytes) -> bytes:
    """Returns the signature. The nonce is derived from secret and data, so no repeated nonce can reveal the key."""
    scalar, nonce_key = _expand(secret)
    public = compress(multiply_base(scalar))
    nonce = _challenge(nonce_key, data)
    commitment = compress(multiply_base(nonce))
    response = (nonce + _challenge(commitment, public, data) * scalar) % ORDER
    return commitment + response.to_bytes(32, "little")


def verify(public: bytes, data: bytes, signature: bytes) -> bool:
    if len(signature) != 64:
        return False
    key, commitment = decompress(public), decompress(signature[:32])
    response = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or response >= ORDER:
        return False
    challenge = _challenge(signature[:32], public, data)
    return equal(multiply_base(response), add(commitment, multiply(challenge, key)))


BASE_U = (9).to_bytes(32, "little")


def exchange(secret: bytes, public: bytes = BASE_U) -> bytes:
    """X25519: returns the public key of a secret, or with another device's public key the secret both share."""
    scalar, u = _clamp(secret), int.from_bytes(public, "little") & ((1 << 255) - 1)
    x2, z2, x3, z3, swap = 1, 0, u, 1, 0
    for t in range(254, -1, -1):
        bit = scalar >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % P, b * b % P, d * a % P, c * b % P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")
