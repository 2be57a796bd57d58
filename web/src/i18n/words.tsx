import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { IntlProvider } from 'use-intl';
import { recall, remember } from '../shell/remember.ts';
import { serverNow, useClockSkew } from '../shell/server-clock.ts';
import { en, type Words as WordsOf, zhHans } from './catalogue.ts';
import { regional } from './regional.ts';

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof en;
  }
}

export const LANGUAGES = ['en', 'zh-Hans'] as const;
export type Language = (typeof LANGUAGES)[number];

const CATALOGUES: Readonly<Record<Language, WordsOf<typeof en>>> = { en, 'zh-Hans': zhHans };

/** What was chosen before, else what the browser asks for. */
function firstLanguage(): Language {
  const chosen = recall('language');
  const known = LANGUAGES.find((language) => language === chosen);
  return known ?? (navigator.languages.some((language) => language.startsWith('zh')) ? 'zh-Hans' : 'en');
}

interface Choice {
  readonly language: Language;
  readonly choose: (language: Language) => void;
}

const LanguageContext = createContext<Choice | undefined>(undefined);

/** The language, and how to change it. */
export function useLanguage(): Choice {
  const choice = use(LanguageContext);
  if (!choice) throw new Error('useLanguage outside of Words');
  return choice;
}

const TICK_MS = 30_000;

/** The words of the page in the chosen language, and a clock that makes "3 minutes ago" go on. */
export function Words({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const [ticks, setTicks] = useState(0);
  const skew = useClockSkew();
  useEffect(() => {
    document.documentElement.lang = language;
    remember('language', language);
  }, [language]);
  useEffect(() => {
    const timer = setInterval(() => setTicks((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const choice = useMemo(() => ({ language, choose: setLanguage }), [language]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick, and another skew, is what makes it another time
  const now = useMemo(() => new Date(serverNow()), [ticks, skew]);
  const locale = useMemo(() => regional(language, navigator.languages), [language]);
  const messages = CATALOGUES[language] as typeof en;
  return (
    <LanguageContext value={choice}>
      <IntlProvider
        locale={locale}
        messages={messages}
        now={now}
        timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
      >
        {children}
      </IntlProvider>
    </LanguageContext>
  );
}
