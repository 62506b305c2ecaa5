"""Signatures by the browser's WebCrypto, a hundred times as fast as in Python.

Where it has no Ed25519 (an older browser, or a page not served over HTTPS), Python computes them. Both give the same
keys and the same signatures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from js import crypto
from pyodide.ffi import to_js

from engine.core import Nonsense
from peer.browser.promises import Rejected, all_settled, settled
from peer.crypto.keys import Keys, PlainKeys, SignedText, derive, from_base64, plain_verify, to_base64

#: the bytes before the 32 secret ones in PKCS #8
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
MAX_KEYS = 64  # cached keys of other devices


class WebCrypto:
    def __init__(self) -> None:
        self._signing: tuple[str, Any] | None = None
        self._verify_keys: dict[str, Any] = {}
        self.native = True

    async def sign(self, keys: Keys, data: bytes) -> str:
        key = await self._signing_key(keys)
        if key is None:
            return keys.sign(data)
        signed = await settled(crypto.subtle, "sign", "Ed25519", key, to_js(data))
        return to_base64(signed.to_bytes())

    async def all_valid(self, signed_texts: Sequence[SignedText]) -> bool:
        """Returns True if all these signatures are valid. Awaits all verifications together: waiting takes longer than
        computing."""
        calls: list[list[Any]] = []
        for signed_text in signed_texts:
            result = await self._verify(signed_text)
            if result is False:
                return False
            if result is not True:
                calls.append(result)
        return all(await all_settled(crypto.subtle, "verify", calls)) if calls else True

    async def _verify(self, signed_text: SignedText) -> bool | list[Any]:
        """Returns True or False if the result is known already, else the arguments of the browser's `verify`."""
        for verify_key in signed_text.signers:
            try:
                key, signature = await self._verify_key(verify_key), from_base64(signed_text.signature)
            except Nonsense:
                continue
            if key is None:
                return signed_text.is_genuine(plain_verify)
            arguments = ["Ed25519", key, to_js(signature), to_js(signed_text.text.encode())]
            if len(signed_text.signers) == 1:
                return arguments
            if await settled(crypto.subtle, "verify", *arguments):
                return True
        return False

    async def _signing_key(self, keys: Keys) -> Any:
        if not self.native:
            return None
        if self._signing is None or self._signing[0] != keys.verify_key:
            secret = PKCS8 + derive(keys.secret, "sign")
            key = await self._import_key("pkcs8", secret, "sign")
            if key is None:
                return None
            self._signing = keys.verify_key, key
        return self._signing[1]

    async def _verify_key(self, verify_key: str) -> Any:
        if not self.native:
            return None
        if verify_key not in self._verify_keys:
            if len(self._verify_keys) >= MAX_KEYS:
                self._verify_keys.clear()
            self._verify_keys[verify_key] = await self._import_key("raw", from_base64(verify_key), "verify")
        return self._verify_keys[verify_key]

    async def _import_key(self, form: str, data: bytes, use: str) -> Any:
        subtle = getattr(crypto, "subtle", None)
        if subtle is None:
            self.native = False
            return None
        try:
            return await settled(subtle, "importKey", form, to_js(data), "Ed25519", False, to_js([use]))
        except Rejected as error:
            if "NotSupported" not in error.name:
                raise Nonsense("net.key") from error
            self.native = False
            return None


def make_keys(secret: bytes) -> Keys:
    return PlainKeys(secret)
