import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import type { DiskUse } from '../../../../src/client/index.ts';
import { asked, client, problemOf } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { useBytes } from '../../components/use-bytes.ts';
import { diskQuery } from '../queries.ts';
import { Scroll } from '../scroll.tsx';
import { SettingField } from '../setting-field.tsx';
import css from '../settings.module.css';
import { SureDialog } from '../sure-dialog.tsx';
import { DISK } from '../table.ts';
import { WithSettings } from '../with-settings.tsx';

/** What the installation holds, and what of it may go. */
export function DiskSection() {
  const t = useTranslations('settings.disk');
  const { data, error, refetch } = useQuery(diskQuery);
  return (
    <>
      <WithSettings>{(current) => <SettingField current={current} setting={DISK} />}</WithSettings>
      {error && <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && (
        <p className="muted" aria-busy="true">
          {t('looking')}
        </p>
      )}
      {data && <Use disk={data} />}
    </>
  );
}

function Use({ disk }: { readonly disk: DiskUse }) {
  const t = useTranslations('settings.disk');
  const bytes = useBytes();
  return (
    <>
      <dl className={css.numbers}>
        {(
          [
            ['free', disk.freeBytes],
            ['database', disk.databaseBytes],
            ['reclaimable', disk.reclaimable],
          ] as const
        ).map(([name, count]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd className="num">{bytes(count)}</dd>
          </div>
        ))}
      </dl>
      <Reclaim />
      {disk.items.length === 0 ? <p className="muted">{t('none')}</p> : <Items disk={disk} />}
      {disk.othersReclaimable > 0 && (
        <p className={css.help}>{t('others', { bytes: bytes(disk.othersReclaimable) })}</p>
      )}
    </>
  );
}

function Items({ disk: { items, count } }: { readonly disk: DiskUse }) {
  const t = useTranslations('settings.disk');
  const bytes = useBytes();
  return (
    <>
      <Scroll label={t('work')}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('work')}</th>
              <th scope="col" className={css.number}>
                {t('bytes')}
              </th>
              <th scope="col" className={css.number}>
                {t('goes')}
              </th>
              <th scope="col">{t('why')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ itemId, title, bytes: held, reclaimable, why }) => (
              <tr key={itemId}>
                <th scope="row">
                  {title === null ? t('orphan') : <Link href={`/work/${itemId}`}>{title}</Link>}{' '}
                  <code className="faint">{itemId}</code>
                </th>
                <td className={`${css.number} num`}>{bytes(held)}</td>
                <td className={`${css.number} num`}>{bytes(reclaimable)}</td>
                <td className="small muted">{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {count > items.length && <p className={css.help}>{t('shown', { n: items.length, of: count })}</p>}
    </>
  );
}

const AGES = [0, 1, 7, 30, 90] as const;
const DAY_SEC = 86_400;

function Reclaim() {
  const t = useTranslations('settings.disk');
  const bytes = useBytes();
  const [isAsking, setAsking] = useState(false);
  const [days, setDays] = useState<number>(7);
  const reclaim = useMutation({
    mutationFn: () => asked(client.post('/api/v1/disk/reclaim', { body: { olderThanSec: days * DAY_SEC } })),
    onSuccess: () => setAsking(false),
    onSettled: () => queryClient.invalidateQueries({ queryKey: diskQuery.queryKey }),
  });
  return (
    <div className={css.line}>
      <Button onClick={() => setAsking(true)}>{t('reclaim')}…</Button>
      {reclaim.data && <span role="status">{t('gone', { bytes: bytes(reclaim.data.reclaimable) })}</span>}
      <SureDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('reclaim')}
        text={t('sure')}
        doIt={t('now')}
        busy={reclaim.isPending}
        error={reclaim.error}
        onDo={() => reclaim.mutate()}
      >
        <label className={css.line}>
          {t('older')}
          <select className={css.input} value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {AGES.map((n) => (
              <option key={n} value={n}>
                {t('days', { n })}
              </option>
            ))}
          </select>
        </label>
      </SureDialog>
    </div>
  );
}
