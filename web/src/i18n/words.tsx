import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { IntlProvider } from 'use-intl';
import { recall, remember } from '../shell/remember.ts';
import { en, type Words as WordsOf, zhHans } from './catalogue.ts';

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
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
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    document.documentElement.lang = language;
    remember('language', language);
  }, [language]);
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const choice = useMemo(() => ({ language, choose: setLanguage }), [language]);
  const messages = CATALOGUES[language] as typeof en;
  return (
    <LanguageContext value={choice}>
      <IntlProvider
        locale={language}
        messages={messages}
        now={now}
        timeZone={Intl.DateTimeFormat().resolvedOptions().timeZone}
      >
        {children}
      </IntlProvider>
    </LanguageContext>
  );
}
