import { Paperclip, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Button, IconButton } from '../components/button.tsx';
import { ProblemNotice } from '../components/problem.tsx';
import css from './create.module.css';
import { useCreate } from './create-context.ts';
import { FieldNotice } from './field-notice.tsx';
import { LIMITS, type SentFile } from './form.ts';
import { isGoing, type Outgoing, type Uploads } from './use-uploads.ts';

const MIB = 1024 * 1024;

/** Bytes in the largest unit that leaves a number to read. */
export function useBytes(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    if (bytes < 1_024) return `${bytes} B`;
    const [amount, unit] = bytes < MIB ? [bytes / 1_024, 'KiB'] : [bytes / MIB, 'MiB'];
    return `${format.number(amount, { maximumFractionDigits: 1 })} ${unit}`;
  };
}

/** Files that go along: those that are there, those on their way, and those that were refused, each with its reason. */
export function FilesField({ uploads }: { readonly uploads: Uploads }) {
  const t = useTranslations('create.files');
  const { form, change } = useCreate();
  const bytes = useBytes();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const limits = { each: bytes(LIMITS.fileBytes), files: LIMITS.files, all: bytes(LIMITS.filesBytes) };
  return (
    <section className={css.field} aria-labelledby={id} data-field="files">
      <h2 id={id}>{t('title')}</h2>
      <ul className={css.files}>
        {form.files.map((file) => (
          <Arrived
            key={file.id}
            file={file}
            onRemove={() => change((now) => ({ ...now, files: now.files.filter((each) => each.id !== file.id) }))}
          />
        ))}
        {uploads.outgoing.map((each) => (
          <OnItsWay key={each.key} outgoing={each} uploads={uploads} />
        ))}
      </ul>
      <div className={css.row}>
        <Button icon={<Paperclip size={15} aria-hidden />} onClick={() => input.current?.click()}>
          {t('add')}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            uploads.add([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <p className={`small muted ${css.grow}`}>{t('hint', limits)}</p>
      </div>
      <FieldNotice field="files" id={`${id}-notice`} />
    </section>
  );
}

function Arrived({ file, onRemove }: { readonly file: SentFile; readonly onRemove: () => void }) {
  const t = useTranslations('create.files');
  const bytes = useBytes();
  const isExpired = new Date(file.expiresAt) < useNow();
  return (
    <li className={css.file}>
      <span dir="auto">{file.name}</span> <span className="faint num">{bytes(file.bytes)}</span>
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
  const t = useTranslations('create.files');
  const bytes = useBytes();
  const { key, file, share, problem, tooMuch } = outgoing;
  return (
    <li className={css.file}>
      <span dir="auto">{file.name}</span> <span className="faint num">{bytes(file.size)}</span>
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
            ? t('tooMany', { limit: LIMITS.files })
            : t('tooLarge', {
                found: bytes(tooMuch.bytes),
                limit: bytes(tooMuch.kind === 'too_large' ? LIMITS.fileBytes : LIMITS.filesBytes),
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
