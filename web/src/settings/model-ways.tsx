import { useTranslations } from 'use-intl';
import { CopyId } from '../components/copy-id.tsx';
import css from './settings.module.css';
import { useModelProblem } from './use-model-problem.ts';

const OWN_SERVER =
  'workcenter settings set models.providers.local \'{"kind":"openai-compatible","baseUrl":"http://127.0.0.1:8000/v1"}\'';

/** How an own server is named: where keys are sent to is decided on the machine only. */
export function OwnServer() {
  const t = useTranslations('settings.ways');
  return (
    <>
      {t('own')} <CopyId id={OWN_SERVER} />
    </>
  );
}

/** While nothing can be called: what there is to do, each of them enough. */
export function ModelWays() {
  const t = useTranslations('settings.ways');
  if (!useModelProblem()) return null;
  return (
    <div className={css.ways} role="note">
      <strong>{t('title')}</strong>
      <ul>
        <li>{t('key')}</li>
        <li>{t('ollama')}</li>
        <li>
          <OwnServer />
          <p className="small muted">{t('names')}</p>
        </li>
      </ul>
    </div>
  );
}
