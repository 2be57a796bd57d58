export { bytes } from '../../text/bytes.ts';

const UNITS = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'm' },
  { ms: 1_000, name: 's' },
] as const;

/** `850 ms`, `4.2 s`, `3m 05s`, `2h 10m`, `3d 4h`: two units at most. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const largest = UNITS.findIndex((unit) => ms >= unit.ms);
  const [first, second] = UNITS.slice(largest, largest + 2);
  if (!first) return `${ms} ms`;
  const whole = Math.floor(ms / first.ms);
  if (!second) return `${whole} s`;
  const rest = Math.floor((ms % first.ms) / second.ms);
  return `${whole}${first.name} ${String(rest).padStart(first.name === 'd' ? 1 : 2, '0')}${second.name}`;
}

/** How long ago, in one unit: `now`, `12s ago`, `5m ago`, `3h ago`, `2d ago`. */
export function ago(at: number, now: number): string {
  const ms = now - at;
  if (ms < 1_500) return 'now';
  const unit = UNITS.find((candidate) => ms >= candidate.ms);
  return unit ? `${Math.floor(ms / unit.ms)}${unit.name} ago` : 'now';
}

/** The exact instant for programs. */
export const iso = (at: number): string => new Date(at).toISOString();

export const isoOrNull = (at: number | null | undefined): string | null =>
  at === undefined || at === null ? null : iso(at);

/** `14:03:07` in the local zone, with the day in front where it is not today. */
export function clock(at: number, now: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const sameDay = date.toDateString() === new Date(now).toDateString();
  return sameDay ? time : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}
