import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { createClient } from '../../../src/client/index.ts';
import { asked, problemOf } from '../api/client.ts';
import { Button } from '../components/button.tsx';
import { CopyId } from '../components/copy-id.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { remember } from './remember.ts';
import css from './token-gate.module.css';
import { type TokenTrouble, useTokenTrouble } from './token-wanted.ts';

const FORM = /^wc_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/;
const COMMAND = 'workcenter token add browser --scope operate';

/** The page, or the question for the token without which the server answers nothing. */
export function TokenGate({ children }: { readonly children: ReactNode }) {
  const trouble = useTokenTrouble();
  return trouble === undefined ? children : <TokenPage trouble={trouble} />;
}

/** Tried before it is kept; a header that is no token would not even be sent. */
async function tryToken(token: string): Promise<void> {
  const client = createClient({ url: location.origin, token });
  await asked(client.get('/api/v1/work-items', { params: { query: { limit: 1 } } }));
}

function TokenPage({ trouble }: { readonly trouble: TokenTrouble }) {
  const t = useTranslations('token');
  const [typed, setTyped] = useState('');
  const token = typed.trim();
  const isToken = FORM.test(token);
  const enter = useMutation({
    mutationFn: () => tryToken(token),
    onSuccess: () => {
      remember('token', token);
      location.reload();
    },
  });
  return (
    <main className={css.page}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isToken) enter.mutate();
        }}
      >
        <h1>{t('title')}</h1>
        <p>{t(`code.${trouble}`)}</p>
        <label className={css.field}>
          {t('label')}
          <input
            type="password"
            name="token"
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: there is nothing else on this page
            autoFocus
            value={typed}
            placeholder={t('placeholder')}
            aria-describedby="token-kept"
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        {token !== '' && !isToken && <p className="small">{t('form')}</p>}
        {enter.error && <ProblemNotice problem={problemOf(enter.error)} />}
        <Button type="submit" look="primary" busy={enter.isPending || enter.isSuccess} disabled={!isToken}>
          {t('enter')}
        </Button>
        <p id="token-kept" className="small muted">
          {t('kept')}
        </p>
        <p className="small muted">
          {t('where')} <CopyId id={COMMAND} />
        </p>
      </form>
    </main>
  );
}
