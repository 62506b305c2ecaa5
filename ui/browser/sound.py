"""Short sounds, synthesised when they are played: paper, felt, brass, dice, a muted trumpet, a siren. No files.

A sound is a few voices at the same time. No audio context is opened before the person has used the page and switched
the sounds on.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from js import AudioContext, navigator, settle
from pyodide.ffi import JsException, to_js

from ui.boards import SOUNDS

RATE = 22_050
GAP = 0.14  # seconds between two sounds of one entry


class Voice(NamedTuple):
    """One part of a sound: a waveform or "noise" through a filter, with a linear attack and an exponential decay."""

    wave: str
    pitch: float  # at the start, in Hz; unused for noise
    end_pitch: float  # pitch at the end, in Hz
    delay: float  # seconds from the start
    duration: float  # seconds
    gain: float  # peak gain, 0 to 1
    filter: str = "lowpass"
    cutoff: float = 4000  # the filter's frequency, in Hz
    attack: float = 0.004  # attack, in seconds


VOICES: dict[str, tuple[Voice, ...]] = {
    "paper": (Voice("noise", 0, 0, 0, 0.09, 0.10, "highpass", 2600, 0.012),),
    "felt": (Voice("noise", 0, 0, 0, 0.13, 0.16, "lowpass", 520, 0.02),),
    "brass": (
        Voice("triangle", 1568, 1568, 0, 0.35, 0.045, cutoff=6000),
        Voice("sine", 2637, 2637, 0.03, 0.30, 0.03, cutoff=6000),
    ),
    "dice": tuple(
        Voice("noise", 0, 0, at, 0.035, 0.16, "bandpass", edge, 0.001)
        for at, edge in ((0, 2400), (0.08, 3000), (0.15, 2100), (0.26, 2700), (0.41, 2300), (0.62, 1900))
    ),
    "trumpet": (
        Voice("sawtooth", 392, 392, 0, 0.13, 0.05, "bandpass", 1300, 0.02),
        Voice("sawtooth", 523.3, 523.3, 0.13, 0.13, 0.05, "bandpass", 1400, 0.02),
        Voice("sawtooth", 659.3, 652, 0.26, 0.5, 0.055, "bandpass", 1500, 0.03),
    ),
    "siren": (
        Voice("triangle", 440, 880, 0, 0.6, 0.06, cutoff=1600, attack=0.2),
        Voice("triangle", 880, 440, 0.6, 0.7, 0.06, cutoff=1600, attack=0.02),
    ),
}
if set(VOICES) != set(SOUNDS):
    raise ValueError("a sound without a voice, or a voice nobody knows")


class Sounds:
    """The page's audio context, opened when the first sound is played."""

    def __init__(self) -> None:
        self._audio: Any = None
        self._noise: Any = None

    def play(self, names: Sequence[str]) -> None:
        """Plays each of the sounds once, slightly apart. Plays nothing before the person has used the page."""
        if not navigator.userActivation.hasBeenActive:
            return
        if self._noise is None and not self._open():
            return
        if str(self._audio.state) in ("suspended", "interrupted"):  # iOS interrupts it, for example by a call
            settle(self._audio, "resume")  # not awaited: the sounds start when it is done
        now = float(self._audio.currentTime) + 0.01
        for number, name in enumerate(dict.fromkeys(names)):
            for voice in VOICES.get(name, ()):
                self._play_voice(voice, now + number * GAP + voice.delay)

    def _open(self) -> bool:
        """Opens the audio context. Returns False if the device has no audio output."""
        with suppress(JsException):
            self._audio = AudioContext.new()
            self._noise = self._noise_buffer()
        return self._noise is not None

    def _play_voice(self, voice: Voice, start: float) -> None:
        audio, end = self._audio, start + voice.duration
        if voice.wave == "noise":
            source = audio.createBufferSource()
            source.buffer = self._noise
        else:
            source = audio.createOscillator()
            source.type = voice.wave
            source.frequency.setValueAtTime(voice.pitch, start)
            source.frequency.linearRampToValueAtTime(voice.end_pitch, end)
        shape = audio.createBiquadFilter()
        shape.type = voice.filter
        shape.frequency.value = voice.cutoff
        level = audio.createGain()
        level.gain.setValueAtTime(0.0001, start)
        level.gain.linearRampToValueAtTime(voice.gain, start + voice.attack)
        level.gain.exponentialRampToValueAtTime(0.0001, end)
        source.connect(shape).connect(level).connect(audio.destination)
        source.start(start)
        source.stop(end + 0.02)

    def _noise_buffer(self) -> Any:
        """Returns a fifth of a second of noise, always the same."""
        rnd = Random(1928)
        samples = array("f", [rnd.uniform(-1, 1) for _ in range(RATE // 5)])
        noise = self._audio.createBuffer(1, len(samples), RATE)
        noise.copyToChannel(to_js(samples), 0)
        return noise
