import { X } from 'lucide-react';
import { useNow, useTranslations } from 'use-intl';
import { IconButton } from '../components/button.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import { useBytes } from '../components/use-bytes.ts';
import css from './attachments.module.css';
import { FILE_LIMITS, type SentFile } from './sent-file.ts';
import { isGoing, type Outgoing, type Uploads } from './use-uploads.ts';

interface Props {
  readonly files: readonly SentFile[];
  readonly uploads: Uploads;
  readonly onRemove: (id: string) => void;
}

/** Files that go along: those that are there, those on their way, and those that were refused, each with its reason. */
export function FileList({ files, uploads, onRemove }: Props) {
  return (
    <ul className={css.files}>
      {files.map((file) => (
        <Arrived key={file.id} file={file} onRemove={() => onRemove(file.id)} />
      ))}
      {uploads.outgoing.map((each) => (
        <OnItsWay key={each.key} outgoing={each} uploads={uploads} />
      ))}
    </ul>
  );
}

function Arrived({ file, onRemove }: { readonly file: SentFile; readonly onRemove: () => void }) {
  const t = useTranslations('files');
  const bytes = useBytes();
  const isExpired = new Date(file.expiresAt) < useNow();
  return (
    <li className={css.file}>
      <span className="clamp2" dir="auto" title={file.name}>
        {file.name}
      </span>{' '}
      <span className="faint num">{bytes(file.bytes)}</span>
      <IconButton
        label={t('remove', { name: file.name })}
        icon={<X size={14} aria-hidden />}
        className={css.removeFile ?? ''}
        onClick={onRemove}
      />
      {isExpired && (
        <p role="alert" className={css.fault}>
          {t('expired')}
        </p>
      )}
    </li>
  );
}

function OnItsWay({ outgoing, uploads }: { readonly outgoing: Outgoing; readonly uploads: Uploads }) {
  const t = useTranslations('files');
  const bytes = useBytes();
  const { key, file, share, problem, tooMuch } = outgoing;
  return (
    <li className={css.file}>
      <span className="clamp2" dir="auto" title={file.name}>
        {file.name}
      </span>{' '}
      <span className="faint num">{bytes(file.size)}</span>
      <IconButton
        label={t('remove', { name: file.name })}
        icon={<X size={14} aria-hidden />}
        className={css.removeFile ?? ''}
        onClick={() => uploads.remove(key)}
      />
      {isGoing(outgoing) && <progress value={share} max={1} aria-label={t('sending', { name: file.name })} />}
      {tooMuch && (
        <p role="alert" className={css.fault}>
          {tooMuch.kind === 'too_many'
            ? t('tooMany', { limit: FILE_LIMITS.count })
            : t('tooLarge', {
                found: bytes(tooMuch.bytes),
                limit: bytes(tooMuch.kind === 'too_large' ? FILE_LIMITS.eachBytes : FILE_LIMITS.allBytes),
              })}
        </p>
      )}
      {problem && (
        <ProblemNotice
          problem={problem}
          {...(problem.status === 0 ? { onRetry: () => uploads.again(outgoing) } : {})}
        />
      )}
    </li>
  );
}
