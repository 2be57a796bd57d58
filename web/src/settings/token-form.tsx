import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AddedToken } from '../../../src/client/index.ts';
import { asked, client, problemOf } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { useSingle } from '../api/use-single.ts';
import { Button } from '../components/button.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { useKeptText } from '../shell/kept.ts';
import { tokensQuery } from './queries.ts';
import css from './settings.module.css';

const SCOPES = ['read', 'create', 'operate', 'admin'] as const;
const AUTHORITIES = ['user', 'agent'] as const;
/** Days; 0 is for ever. */
const DURATIONS = [1, 7, 30, 90, 365, 0] as const;
const DAY_SEC = 86_400;

/** A new token: who uses it, what it may, whose word it carries, how long. */
export function TokenForm({ onAdded }: { readonly onAdded: (token: AddedToken) => void }) {
  const t = useTranslations('settings.access');
  const [name, setName] = useKeptText('token');
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('operate');
  const [authority, setAuthority] = useState<(typeof AUTHORITIES)[number]>('user');
  const [days, setDays] = useState<number>(30);
  const add = useMutation({
    mutationFn: (named: string) =>
      asked(
        client.post('/api/v1/tokens', {
          body: {
            ...{ name: named.trim(), scopes: scope === 'operate' ? ['create', 'operate'] : [scope], authority },
            ...(days === 0 ? {} : { expiresInSec: days * DAY_SEC }),
          },
        }),
      ),
    onSuccess: (token, named) => {
      if (name === named) setName('');
      onAdded(token);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const make = useSingle(add);
  return (
    <form
      className={`${css.card} ${css.form}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') make(name);
      }}
    >
      <label>
        {t('name')}
        <input
          className={css.input}
          value={name}
          maxLength={64}
          dir="auto"
          placeholder={t('namePlaceholder')}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <Select
        name={t('scopes')}
        value={scope}
        options={SCOPES}
        word={(each) => t(`scope.${each}`)}
        onChoose={setScope}
      />
      <Select
        name={t('authority')}
        value={authority}
        options={AUTHORITIES}
        word={(each) => t(each)}
        onChoose={setAuthority}
      />
      <Select
        name={t('expires')}
        value={days}
        options={DURATIONS}
        word={(n) => (n === 0 ? t('forever') : t('days', { n }))}
        onChoose={setDays}
      />
      {add.error && <ProblemNotice problem={problemOf(add.error)} />}
      <Button type="submit" busy={add.isPending} disabled={name.trim() === ''}>
        {t('add')}
      </Button>
    </form>
  );
}

interface SelectProps<T> {
  readonly name: string;
  readonly value: T;
  readonly options: readonly T[];
  readonly word: (option: T) => string;
  readonly onChoose: (option: T) => void;
}

function Select<T extends string | number>({ name, value, options, word, onChoose }: SelectProps<T>) {
  return (
    <label>
      {name}
      <select
        className={css.input}
        value={value}
        onChange={(event) => onChoose(options.find((each) => String(each) === event.target.value) ?? value)}
      >
        {options.map((each) => (
          <option key={each} value={each}>
            {word(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
