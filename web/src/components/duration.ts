const SECOND = 1_000;
/** In seconds. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A length of time in its two largest units: "1 h 5 min", "41 s"; never less than nothing. */
export function duration(ms: number): string {
  if (Math.round(ms) < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  // Rounded once, so that no unit is ever full: 119.7 s are two minutes.
  const all = Math.round(ms / SECOND);
  if (all < MINUTE) return `${all} s`;
  const hours = Math.floor(all / HOUR);
  const minutes = Math.floor((all % HOUR) / MINUTE);
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  const seconds = all % MINUTE;
  return seconds > 0 && minutes < 10 ? `${minutes} min ${seconds} s` : `${minutes} min`;
}
