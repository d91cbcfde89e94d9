/** Quiet sounds, made here and not loaded: a card slides, a chip lands, a bell for your turn, two notes for a win. */

import { prefs } from "./prefs.svelte";

let context: AudioContext | undefined;

/** A browser lets a page sound only after its player did something. */
export function wake(): void {
  if (!prefs.sound) return;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
}

type Sound = "card" | "chip" | "turn" | "win" | "tick";

export function play(sound: Sound): void {
  if (!prefs.sound || document.hidden) return;
  wake();
  if (context?.state !== "running") return;
  SOUNDS[sound](context, context.currentTime);
}

function tone(audio: AudioContext, at: number, hertz: number, seconds: number, loudness: number): void {
  const [oscillator, gain] = [audio.createOscillator(), audio.createGain()];
  oscillator.frequency.value = hertz;
  oscillator.type = "sine";
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + seconds);
}

/** Filtered noise: what cards and chips sound like. */
function rustle(audio: AudioContext, at: number, hertz: number, seconds: number, loudness: number): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place++) samples[place] = (Math.random() * 2 - 1) * (1 - place / samples.length) ** 2;
  const [source, filter, gain] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  source.buffer = buffer;
  filter.type = "bandpass";
  filter.frequency.value = hertz;
  filter.Q.value = 0.8;
  gain.gain.value = loudness;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(at);
}

const SOUNDS: Readonly<Record<Sound, (audio: AudioContext, at: number) => void>> = {
  card: (audio, at) => rustle(audio, at, 2600, 0.11, 0.16),
  chip: (audio, at) => {
    rustle(audio, at, 4800, 0.04, 0.2);
    tone(audio, at, 2100, 0.06, 0.03);
  },
  turn: (audio, at) => {
    tone(audio, at, 660, 0.5, 0.06);
    tone(audio, at + 0.12, 880, 0.6, 0.05);
  },
  win: (audio, at) => [523.25, 659.25, 783.99].forEach((hertz, place) => tone(audio, at + place * 0.09, hertz, 0.5, 0.05)),
  tick: (audio, at) => tone(audio, at, 1400, 0.05, 0.03),
};
