import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLocation } from 'wouter';
import { asked, client } from '../api/client.ts';
import { giveBackFocus, useRememberedFocus } from '../components/returned-focus.ts';
import { LANGUAGES, useLanguage } from '../i18n/words.tsx';
import css from './palette.module.css';
import { chooseTheme, THEMES } from './theme.ts';

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onShortcuts: () => void;
}

const found = (search: string) => ({
  queryKey: ['items', 'palette', search],
  enabled: search.trim().length > 1,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    asked(client.get('/api/v1/work-items', { signal, params: { query: { q: search.trim(), limit: 8 } } })),
});

/** Everything by keyboard: places, commands, and any work by its words. */
export function Palette({ open, onOpenChange, onShortcuts }: Props) {
  const t = useTranslations();
  const [, navigate] = useLocation();
  const { choose } = useLanguage();
  const [search, setSearch] = useState('');
  useRememberedFocus(open);
  const { data } = useQuery({ ...found(search), enabled: open && search.trim().length > 1 });
  const run = (work: () => void) => () => {
    onOpenChange(false);
    setSearch('');
    work();
  };
  const places = [
    ['/needs-you', t('rail.needsYou')],
    ['/', t('rail.board')],
    ['/vps', t('rail.vps')],
    ['/settings', t('rail.settings')],
  ] as const;
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={css.overlay} />
        <Dialog.Content className={css.content} aria-describedby={undefined} onCloseAutoFocus={giveBackFocus}>
          <Dialog.Title className="sr-only">{t('rail.palette')}</Dialog.Title>
          <Command label={t('rail.palette')}>
            <Command.Input
              value={search}
              onValueChange={setSearch}
              placeholder={t('palette.placeholder')}
              className={css.input}
            />
            <Command.List className={css.list}>
              <Command.Empty className={css.empty}>{t('palette.empty')}</Command.Empty>
              {data && data.items.length > 0 && (
                <Command.Group heading={t('palette.items')}>
                  {data.items.map((item) => (
                    <Command.Item
                      key={item.id}
                      value={`${item.title} ${item.id} ${search}`}
                      onSelect={run(() => navigate(`/work/${item.id}`))}
                    >
                      <span>{item.title}</span>
                      <code className="faint">{item.id}</code>
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              <Command.Group heading={t('palette.places')}>
                {places.map(([to, name]) => (
                  <Command.Item key={to} onSelect={run(() => navigate(to))}>
                    {name}
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading={t('palette.commands')}>
                <Command.Item onSelect={run(() => navigate('/new'))}>{t('palette.newWork')}</Command.Item>
                <Command.Item onSelect={run(onShortcuts)}>{t('palette.shortcuts')}</Command.Item>
                {THEMES.map((theme) => (
                  <Command.Item key={theme} onSelect={run(() => chooseTheme(theme))}>
                    {t('palette.theme', { theme: t(`theme.${theme}`) })}
                  </Command.Item>
                ))}
                {LANGUAGES.map((language) => (
                  <Command.Item key={language} onSelect={run(() => choose(language))}>
                    {t('palette.language', { language: t(`language.${language}`) })}
                  </Command.Item>
                ))}
              </Command.Group>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
