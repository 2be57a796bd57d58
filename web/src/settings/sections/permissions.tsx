import { useTranslations } from 'use-intl';
import { CopyId } from '../../components/copy-id.tsx';
import { Mark } from '../../components/mark.tsx';
import css from '../settings.module.css';
import { WithSettings } from '../with-settings.tsx';

/** Settings of the machine, and how each is changed there. */
const COMMANDS = {
  permissions: 'workcenter settings set permissions @permissions.yaml',
  sandbox: 'workcenter settings set sandbox on',
  notify: 'workcenter settings set notify COMMAND',
  trustedMcp: 'workcenter settings set trustedMcp \'["HASH"]\'',
  github: 'workcenter settings set github.tokenEnv GITHUB_TOKEN',
  'models.providers': 'workcenter settings set models.providers.NAME @provider.json',
} as const;

type Local = keyof typeof COMMANDS;
const NAMES = Object.keys(COMMANDS) as readonly Local[];
/** A dot divides keys of the catalogue. */
const wordOf = (name: Local) => (name === 'models.providers' ? 'providers' : name);

/** What is set on the machine only: whether it is set, and the command that sets it. */
export function PermissionsSection() {
  const t = useTranslations('settings.local');
  return (
    <WithSettings>
      {({ local }) => (
        <dl className={css.facts}>
          {NAMES.map((name) => (
            <div key={name}>
              <dt>{t(`name.${wordOf(name)}`)}</dt>
              <dd>
                <Mark tone={local.includes(name) ? 'working' : 'quiet'}>
                  {t(local.includes(name) ? 'set' : 'unset')}
                </Mark>
                <p className={css.help}>
                  {t('how')} <CopyId id={COMMANDS[name]} />
                </p>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </WithSettings>
  );
}
