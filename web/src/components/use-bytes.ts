import { useFormatter } from 'use-intl';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1_000;

/** Bytes in the largest unit that leaves a number to read, as the server's own words have them: `1.2 MB`. */
export function useBytes(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const power = bytes < STEP ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(STEP)), UNITS.length - 1);
    const amount = bytes / STEP ** power;
    return `${format.number(amount, { maximumFractionDigits: power === 0 || amount >= 100 ? 0 : 1 })} ${UNITS[power]}`;
  };
}
