"""Signatures by the browser's WebCrypto, a hundred times as fast as in Python.

Where it has no Ed25519 (an older browser, or a page not served over HTTPS), Python computes them. Both give the same
keys and the same signatures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from js import Promise, crypto
from pyodide.ffi import JsException, to_js

from engine.core import Refused
from peer.crypto.keys import Keys, PlainKeys, SignedText, derive, from_base64, plain_verify, to_base64

#: the bytes before the 32 secret ones in PKCS #8
PKCS8 = bytes.fromhex("302e020100300506032b657004220420")
MOST = 64  # cached keys of other devices


class WebCrypto:
    def __init__(self) -> None:
        self._signing: tuple[str, Any] | None = None
        self._known: dict[str, Any] = {}
        self.native = True

    async def sign(self, keys: Keys, data: bytes) -> str:
        key = await self._own(keys)
        if key is None:
            return keys.sign(data)
        signed = await crypto.subtle.sign("Ed25519", key, to_js(data))
        return to_base64(signed.to_bytes())

    async def proven(self, claims: Sequence[SignedText]) -> bool:
        """Returns True if all these signatures are valid. Awaits all verifications together: waiting takes longer than
        computing."""
        asked: list[Any] = []
        for claim in claims:
            told = await self._asked(claim)
            if told is False:
                return False
            if told is not True:
                asked.append(told)
        return not asked or all(await Promise.all(to_js(asked)))

    async def _asked(self, claim: SignedText) -> Any:
        """Returns True or False if the result is known already, else the browser's promise of it."""
        for signer in claim.signers:
            try:
                key, told = await self._theirs(signer), from_base64(claim.signature)
            except Refused:
                continue
            if key is None:
                return claim.true(plain_verify)
            promise = crypto.subtle.verify("Ed25519", key, to_js(told), to_js(claim.text.encode()))
            if len(claim.signers) == 1 or await promise:
                return promise if len(claim.signers) == 1 else True
        return False

    async def _own(self, keys: Keys) -> Any:
        if not self.native:
            return None
        if self._signing is None or self._signing[0] != keys.verify_key:
            secret = PKCS8 + derive(keys.secret, "sign")
            key = await self._imported("pkcs8", secret, "sign")
            if key is None:
                return None
            self._signing = keys.verify_key, key
        return self._signing[1]

    async def _theirs(self, signer: str) -> Any:
        if not self.native:
            return None
        if signer not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[signer] = await self._imported("raw", from_base64(signer), "verify")
        return self._known[signer]

    async def _imported(self, form: str, data: bytes, use: str) -> Any:
        subtle = getattr(crypto, "subtle", None)
        if subtle is None:
            self.native = False
            return None
        try:
            return await subtle.importKey(form, to_js(data), "Ed25519", False, to_js([use]))
        except JsException as error:
            if "NotSupported" not in str(error.name):
                raise Refused("net.key") from error
            self.native = False
            return None


def make_keys(secret: bytes) -> Keys:
    return PlainKeys(secret)
