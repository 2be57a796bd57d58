import { useTranslations } from 'use-intl';
import type { Models } from '../../../src/client/index.ts';
import { Mark } from '../components/mark.tsx';
import { OwnServer } from './model-ways.tsx';
import css from './settings.module.css';

type Missing = NonNullable<Models['coordinator']['problem']>;

/** What tags and the Coordinator come to now, and which providers could be called. */
export function ModelsInUse({ models: { coordinator, tags, providers } }: { readonly models: Models }) {
  const t = useTranslations('settings.models');
  return (
    <>
      <h3>{t('inUse')}</h3>
      <table className={css.table}>
        <tbody>
          <Row name={t('coordinator')} model={coordinator.model} problem={coordinator.problem}>
            {coordinator.model !== null && !coordinator.priced ? t('unpriced') : ''}
          </Row>
          {tags.map(({ tag, model, problem }) => (
            <Row key={tag} name={tag} model={model} problem={problem} />
          ))}
        </tbody>
      </table>
      <h3>{t('providers')}</h3>
      <table className={css.table}>
        <tbody>
          {providers.map(({ name, keyEnv, keyPresent, problem }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <Mark tone={problem ? 'quiet' : 'proven'}>{t(problem ? 'notUsable' : 'usable')}</Mark>
              </td>
              <td className="small muted">
                {keyEnv === null
                  ? t(problem ? 'noAddress' : 'keyless')
                  : t(keyPresent ? 'key' : 'noKey', { variable: keyEnv })}
                {problem && keyPresent && <p>{problem.next}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted">
        <OwnServer />
      </p>
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly model: string | null;
  readonly problem: Missing | null;
  readonly children?: string;
}

function Row({ name, model, problem, children = '' }: RowProps) {
  const t = useTranslations('settings.models');
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{model === null ? <Mark tone="failed">{t('none')}</Mark> : <code>{model}</code>}</td>
      <td className="small muted">{problem?.next ?? children}</td>
    </tr>
  );
}
