import { useTranslations } from 'use-intl';
import { Dialog } from '../components/dialog.tsx';
import { Kbd } from '../components/kbd.tsx';
import css from './shortcut-list.module.css';
import { KEYS, type ShortcutName } from './shortcuts.ts';

const SHOWN = Object.keys(KEYS) as readonly ShortcutName[];

/** Which keys there are; made of the table that they work by. */
export function ShortcutList({
  open,
  onOpenChange,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('shortcuts');
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('title')}>
      <dl className={css.list}>
        {SHOWN.map((name) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>
              {KEYS[name].split(' ').map((keys) => (
                <Kbd key={keys} keys={keys.replace('$mod', 'mod')} />
              ))}
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('send')}</dt>
          <dd>
            <Kbd keys="mod+enter" />
          </dd>
        </div>
      </dl>
    </Dialog>
  );
}
