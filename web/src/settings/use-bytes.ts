import { useFormatter } from 'use-intl';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `1.2 MB` and the like, in powers of 1000. */
export function useBytes(): (count: number) => string {
  const format = useFormatter();
  return (count) => {
    if (count < 1_000) return `${format.number(count)} B`;
    const power = Math.min(Math.floor(Math.log10(count) / 3), UNITS.length - 1);
    const value = count / 1_000 ** power;
    const unit = UNITS[power] ?? 'byte';
    return format.number(value, { style: 'unit', unit, maximumFractionDigits: value >= 100 ? 0 : 1 });
  };
}
