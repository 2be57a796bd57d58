import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { problemOf } from '../../api/client.ts';
import { ProblemNotice } from '../../components/problem.tsx';
import { KeyedFields } from '../keyed-fields.tsx';
import { ModelNames } from '../model-names.tsx';
import { ModelsInUse } from '../models-in-use.tsx';
import { PriceList } from '../price-list.tsx';
import { modelsQuery } from '../queries.ts';
import { SettingField } from '../setting-field.tsx';
import css from '../settings.module.css';
import { COORDINATOR, TAGS } from '../table.ts';
import { WithSettings } from '../with-settings.tsx';

/** Which model does what, whether it could be called, and what it costs. */
export function ModelsSection() {
  const t = useTranslations('settings.group');
  const models = useQuery(modelsQuery);
  return (
    <WithSettings>
      {(current) => (
        <>
          <ModelNames />
          <SettingField current={current} setting={COORDINATOR} />
          <fieldset className={css.group}>
            <legend>{t('tags')}</legend>
            {TAGS.map((setting) => (
              <SettingField
                key={setting.name}
                current={current}
                setting={setting}
                inForce={models.data?.tags.find(({ tag }) => tag === setting.name)?.model}
              />
            ))}
          </fieldset>
          <KeyedFields
            current={current}
            path={['models', 'byType']}
            kind={{ as: 'model' }}
            title={t('byType')}
            help={t('byTypeHelp')}
          />
          {models.error && <ProblemNotice problem={problemOf(models.error)} onRetry={() => void models.refetch()} />}
          {models.data && <ModelsInUse models={models.data} />}
          {models.data && <PriceList current={current} models={models.data} />}
        </>
      )}
    </WithSettings>
  );
}
