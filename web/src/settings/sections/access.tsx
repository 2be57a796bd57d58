import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { AddedToken, Token } from '../../../../src/client/index.ts';
import { asked, client, problemOf } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { Mark } from '../../components/mark.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { Ago } from '../../components/values.tsx';
import { tokensQuery } from '../queries.ts';
import { Scroll } from '../scroll.tsx';
import { SecretOnce } from '../secret-once.tsx';
import css from '../settings.module.css';
import { SureDialog } from '../sure-dialog.tsx';
import { TokenForm } from '../token-form.tsx';

const COMMAND = 'workcenter token add NAME --scope operate';

/** Who may come in; new tokens are shown once. */
export function AccessSection() {
  const t = useTranslations('settings.access');
  const { data, error, refetch } = useQuery({ ...tokensQuery, staleTime: 0 });
  const [added, setAdded] = useState<AddedToken>();
  if (error) return <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <div className={css.skeleton} aria-busy="true" />;
  return (
    <>
      {data.tokens.length === 0 ? <p className="muted">{t('none')}</p> : <TokenTable tokens={data.tokens} />}
      {added && (
        <SecretOnce
          text={t('added', { name: added.name })}
          secret={added.token}
          done={t('done')}
          onDone={() => setAdded(undefined)}
        />
      )}
      {data.mayAdd ? (
        <TokenForm onAdded={setAdded} />
      ) : (
        <p className={css.help}>
          {t('notHere')} <CopyId id={COMMAND} />
        </p>
      )}
    </>
  );
}

function TokenTable({ tokens }: { readonly tokens: readonly Token[] }) {
  const t = useTranslations('settings.access');
  return (
    <Scroll label={t('tokens')}>
      <table className={css.table}>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

const TONES = { valid: 'proven', expired: 'held', revoked: 'held' } as const;

function TokenRow({ token }: { readonly token: Token }) {
  const t = useTranslations('settings.access');
  const format = useFormatter();
  const { name, id, scopes, authority, state, expiresAt, lastUsedAt } = token;
  return (
    <tr>
      <th scope="row">
        <strong dir="auto">{name}</strong> <code className="faint">{id}</code>
        <p className={css.help}>
          {scopes.join(', ')} · {t('authority')}: {t(authority)}
        </p>
      </th>
      <td>
        <Mark tone={TONES[state]}>{t(`state.${state}`)}</Mark>
        {state === 'valid' && expiresAt !== null && (
          <p className={css.help}>
            {t('until', { at: format.dateTime(new Date(expiresAt), { dateStyle: 'medium' }) })}
          </p>
        )}
      </td>
      <td className="small muted">
        {lastUsedAt === null ? (
          t('neverUsed')
        ) : (
          <>
            {t('lastUsed')} <Ago at={lastUsedAt} />
          </>
        )}
      </td>
      <td>{state === 'valid' && <Revoke token={token} />}</td>
    </tr>
  );
}

function Revoke({ token: { id, name } }: { readonly token: Token }) {
  const t = useTranslations('settings.access');
  const [isAsking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => asked(client.post('/api/v1/tokens/{id}/revoke', { params: { path: { id } }, body: {} })),
    onSuccess: () => setAsking(false),
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {t('revoke', { name })}…
      </Button>
      <SureDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('revoke', { name })}
        text={t('revokeSure')}
        doIt={t('revoke', { name })}
        busy={revoke.isPending}
        error={revoke.error}
        onDo={() => revoke.mutate()}
      />
    </>
  );
}
