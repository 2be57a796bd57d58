import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { problemOf } from '../../api/client.ts';
import { CopyId } from '../../components/copy-id.tsx';
import { Mark } from '../../components/mark.tsx';
import { ProblemNotice } from '../../components/problem.tsx';
import { Ago } from '../../components/values.tsx';
import { enforcementQuery, workersQuery } from '../queries.ts';
import { Scroll } from '../scroll.tsx';
import css from '../settings.module.css';

/** Which engines are at work, and what this machine really enforces. */
export function WorkersSection() {
  return (
    <>
      <Engines />
      <Enforced />
    </>
  );
}

const TONES = { working: 'working', silent: 'failed', stopped: 'held' } as const;

function Engines() {
  const t = useTranslations('settings.workers');
  const { data, error, refetch } = useQuery({ ...workersQuery, staleTime: 0 });
  if (error) return <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <div className={css.skeleton} aria-busy="true" />;
  return (
    <>
      <p>
        {t('version')}: <code>{data.version}</code>
      </p>
      <h3>{t('engines')}</h3>
      {data.workers.length === 0 && <p className="muted">{t('none')}</p>}
      <Scroll label={t('engines')}>
        <table className={css.table}>
          <tbody>
            {data.workers.map(({ owner, pid, version, kind, state, heartbeatAt }) => (
              <tr key={owner}>
                <th scope="row">
                  {t(`kind.${kind}`)} <span className="small muted">{t('process', { pid: String(pid) })}</span>
                </th>
                <td>
                  <Mark tone={TONES[state]}>{t(`state.${state}`)}</Mark>
                </td>
                <td>
                  <code>{version}</code>
                </td>
                <td className="small muted">
                  {t('heard')} <Ago at={heartbeatAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

const PARTS = ['filesystem', 'network', 'processes'] as const;
const GRADES = { ok: 'proven', warn: 'needs', fail: 'failed' } as const;

function Enforced() {
  const t = useTranslations('settings.workers');
  const { data, error, refetch } = useQuery({ ...enforcementQuery, staleTime: 0 });
  if (error) return <ProblemNotice problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <div className={css.skeleton} aria-busy="true" />;
  return (
    <>
      <h3>{t('enforced')}</h3>
      <table className={css.table}>
        <tbody>
          {PARTS.map((part) => (
            <tr key={part}>
              <th scope="row">{t(`part.${part}`)}</th>
              <td>
                <Mark tone={data[part] ? 'proven' : 'failed'}>{t(data[part] ? 'yes' : 'no')}</Mark>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.reason !== null && <p className={css.help}>{data.reason}</p>}
      <h3>{t('machine')}</h3>
      <table className={css.table}>
        <tbody>
          {data.checks.map(({ grade, what, fact, next }) => (
            <tr key={`${what} ${fact}`}>
              <th scope="row">{what}</th>
              <td>
                <Mark tone={GRADES[grade]}>{t(`grade.${grade}`)}</Mark>
              </td>
              <td>
                {fact}
                {next !== null && <p className={css.help}>{next}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css.help}>
        {t('store')} <CopyId id="workcenter doctor" />
      </p>
    </>
  );
}
