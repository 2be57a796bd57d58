const scriptOf = (tag: string): string => {
  const { language, script } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
};

/** As it is written where the reader lives, if the browser says so: dates and clocks differ within a language. */
export const regional = (language: string, wanted: readonly string[]): string =>
  wanted.find((each) => scriptOf(each) === scriptOf(language)) ?? language;
