import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Item } from '../../../../src/client/index.ts';
import { Button } from '../../components/button.tsx';
import { ContentLabel } from '../../components/content-label.tsx';
import { Loading } from '../../shell/loading.tsx';
import live from '../live/live.module.css';
import { useLiveLook } from '../live/use-live-look.ts';
import { useSeen } from '../live/use-seen.ts';
import { FileBody } from './changed-file.tsx';
import css from './diff.module.css';
import { PathName } from './file-row.tsx';
import own from './live-changes.module.css';
import { NotLive } from './live-changes.tsx';
import { liveFileLook } from './live-queries.ts';
import type { DiffSource } from './source.ts';

/** A larger file is read again when one asks for it. */
const FOLLOWED_CHARS = 40_000;

interface Props {
  readonly item: Item;
  readonly source: DiffSource & { readonly actionId: string };
  readonly path: string;
}

/** A file of a workspace as it is now. It is no evidence: what counts is what the Run leaves. */
export function LiveFileView({ item, source, path }: Props) {
  const t = useTranslations('diff');
  const [box, isSeen] = useSeen<HTMLDivElement>();
  const [isLarge, setLarge] = useState(false);
  const { data, error, refetch } = useLiveLook(item, liveFileLook(source, path), isSeen && !isLarge);
  const isTooMuch = (data?.file.text?.length ?? 0) > FOLLOWED_CHARS;
  if (isTooMuch !== isLarge) setLarge(isTooMuch);
  return (
    <div ref={box} className={`${own.live} ${live.live}`}>
      <p className={`${css.head} ${css.row}`}>
        <ContentLabel kind="live">
          <span className="faint">{t('liveMeans')}</span>
        </ContentLabel>
        <PathName path={path} />
        {isLarge && <Button onClick={() => void refetch()}>{t('liveAgain')}</Button>}
      </p>
      {error && <NotLive error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && <FileBody file={data.file} />}
    </div>
  );
}
