import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { AttachButton } from '../attachments/attach-button.tsx';
import { FileList } from '../attachments/file-list.tsx';
import { FILE_LIMITS } from '../attachments/sent-file.ts';
import type { Uploads } from '../attachments/use-uploads.ts';
import { useBytes } from '../components/use-bytes.ts';
import css from './create.module.css';
import { useCreate } from './create-context.ts';
import { FieldNotice } from './field-notice.tsx';

/** Files that go along with the goal. */
export function FilesField({ uploads }: { readonly uploads: Uploads }) {
  const t = useTranslations('files');
  const { form, change } = useCreate();
  const bytes = useBytes();
  const id = useId();
  const limits = { each: bytes(FILE_LIMITS.eachBytes), files: FILE_LIMITS.count, all: bytes(FILE_LIMITS.allBytes) };
  return (
    <section className={css.field} aria-labelledby={id} data-field="files">
      <h2 id={id}>{t('title')}</h2>
      <FileList
        files={form.files}
        uploads={uploads}
        onRemove={(gone) => change((now) => ({ ...now, files: now.files.filter((each) => each.id !== gone) }))}
      />
      <div className={css.row}>
        <AttachButton onFiles={uploads.add} />
        <p className={`small muted ${css.grow}`}>{t('hint', limits)}</p>
      </div>
      <FieldNotice field="files" id={`${id}-notice`} />
    </section>
  );
}
