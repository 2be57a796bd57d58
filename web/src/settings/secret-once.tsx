import { useTranslations } from 'use-intl';
import { Button } from '../components/button.tsx';
import { CopyId } from '../components/copy-id.tsx';
import css from './settings.module.css';

interface Props {
  readonly text: string;
  readonly secret: string;
  readonly done: string;
  readonly onDone: () => void;
}

/** A secret that is shown this once; it stays until the person says that they have it. */
export function SecretOnce({ text, secret, done, onDone }: Props) {
  const t = useTranslations('common');
  return (
    <div className={css.secret} role="alert">
      <p>{text}</p>
      <p>
        <CopyId id={secret} /> <span className="faint small">({t('copy')})</span>
      </p>
      <Button onClick={onDone}>{done}</Button>
    </div>
  );
}
