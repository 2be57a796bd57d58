import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { InboxLine } from '../../../src/client/index.ts';
import { asked, client } from '../api/client.ts';
import { recall } from './remember.ts';
import { serverNow } from './server-clock.ts';

/** `Work Center` or the page's own title, behind the number of what waits: `(3) …`. */
const unnumbered = (title: string): string => title.replace(/^\(\d+\+?\) /, '');

/** The number in the title, also when a page gives itself another one; and a mark on the icon. */
function useCountInTitle(count: number): void {
  useEffect(() => {
    const number = (): void => {
      const name = unnumbered(document.title);
      const title = count > 0 ? `(${count > 99 ? '99+' : count}) ${name}` : name;
      if (document.title !== title) document.title = title;
    };
    const observer = new MutationObserver(number);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    number();
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon) icon.href = count > 0 ? '/icon-waiting.svg' : '/icon.svg';
    return () => observer.disconnect();
  }, [count]);
}

/** The person wants to be told, and the browser lets us. */
export const mayNotify = (): boolean =>
  'Notification' in window && Notification.permission === 'granted' && recall('notify') === 'on';

const LIMIT = 200;

async function waitingSince(at: number): Promise<readonly InboxLine[]> {
  const { lines } = await asked(client.get('/api/v1/requests', { params: { query: { limit: LIMIT } } }));
  return lines.filter(({ request, hold }) => (request?.openedAt ?? hold?.at ?? 0) > at);
}

/** One notification for each thing; its tag keeps two tabs from saying it twice. */
function tell({ item, request, hold }: InboxLine, title: string): void {
  const what = request?.id ?? 'hold';
  const body = request?.question ?? hold?.details ?? '';
  const notification = new Notification(title, { body, tag: `workcenter ${item.id} ${what}`, icon: '/icon.svg' });
  notification.onclick = () => {
    window.focus();
    notification.close();
    history.pushState(null, '', `/needs-you/${item.id}/${what}`);
  };
}

/** Tells of what begins to wait while nobody looks. `seenAt` is when the lists were read last; epoch milliseconds. */
function useNotifications(seenAt: number): void {
  const t = useTranslations('notify');
  const since = useRef<number | undefined>(undefined);
  const look = useEffectEvent(async (): Promise<void> => {
    // Before the first answer nobody knows what time it is at the server.
    if (since.current === undefined || !document.hidden || !mayNotify()) {
      since.current = seenAt === 0 ? undefined : serverNow();
      return;
    }
    const before = since.current;
    const lines = await waitingSince(before);
    since.current = Math.max(before, ...lines.map(({ request, hold }) => request?.openedAt ?? hold?.at ?? 0));
    for (const line of lines) tell(line, t('question', { title: line.item.title }));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reading of the lists is what makes it look
  useEffect(() => {
    // A connection that is lost says so itself.
    void look().catch(() => undefined);
  }, [seenAt]);
}

/** Makes what waits be noticed where the page is not looked at. */
export function useAttention(count: number, seenAt: number): void {
  useCountInTitle(count);
  useNotifications(seenAt);
}
