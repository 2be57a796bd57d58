import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Entry } from '../../../../src/client/index.ts';
import { problemOf } from '../../api/client.ts';
import { saveContent } from '../../api/save-content.ts';
import { ProblemNotice } from '../../components/problem.tsx';
import css from './conversation.module.css';

interface Props {
  readonly itemId: string;
  readonly files: Entry['attachments'];
}

/** Files that came with a message, to be saved. */
export function EntryFiles({ itemId, files }: Props) {
  const t = useTranslations('talk');
  const save = useMutation({
    mutationFn: ({ hash, name }: Entry['attachments'][number]) => saveContent(itemId, hash, name),
  });
  if (files.length === 0) return null;
  return (
    <>
      <ul className={css.files}>
        {files.map((file) => (
          <li key={file.hash}>
            <button type="button" title={t('save', { name: file.name })} onClick={() => save.mutate(file)}>
              {file.name}
            </button>
          </li>
        ))}
      </ul>
      {save.error && <ProblemNotice problem={problemOf(save.error)} />}
    </>
  );
}
