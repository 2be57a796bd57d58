import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../../src/cli/app.ts';
import { attach } from '../../src/cli/attachments.ts';
import { MESSAGE_LIMITS } from '../../src/core/index.ts';
import { mediaTypeOf } from '../../src/engine/attachments/media-type.ts';
import { openMemoryStore } from '../../src/store/memory/open-memory-store.ts';
import { appOn, SHELL } from './support.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let root: string;
let app: App;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'workcenter-attach-'));
  app = appOn(openMemoryStore({ now: SHELL.now }), { cwd: root });
});

afterEach(async () => {
  await app.store.close();
  await rm(root, { recursive: true, force: true });
});

const put = (name: string, body: string | Uint8Array): Promise<void> => writeFile(join(root, name), body);

describe('an attachment', () => {
  test('is kept by the hash of its bytes, with what they are', async () => {
    await put('shot.png', PNG);
    await put('notes.md', '# Grüße\n');
    const [shot, notes] = (await attach(app, ['shot.png', 'notes.md'])) as readonly { hash: string }[];
    expect(shot).toMatchObject({ name: 'shot.png', bytes: PNG.length, mediaType: 'image/png' });
    expect(notes).toMatchObject({ name: 'notes.md', mediaType: 'text/markdown' });
    const body = await app.store.getContent(notes?.hash ?? '');
    expect(new TextDecoder().decode(body)).toBe('# Grüße\n');
  });

  test('is refused unless its bytes are what its name says', async () => {
    expect(await mediaTypeOf('x.png', PNG)).toBe('image/png');
    expect(await mediaTypeOf('x.jpg', PNG)).toMatchObject({ code: 'attachment_type' });
    expect(await mediaTypeOf('x.txt', PNG)).toMatchObject({ code: 'attachment_type' });
    expect(await mediaTypeOf('x.png', Buffer.from('words'))).toMatchObject({ code: 'attachment_type' });
    expect(await mediaTypeOf('x.bin', Buffer.from([0, 159, 146, 150]))).toMatchObject({ code: 'attachment_type' });
    expect(await mediaTypeOf('x.zip', Buffer.from('PK\x03\x04\0\0\0\0'))).toMatchObject({ code: 'attachment_type' });
  });

  test('is text when it is text throughout, however it begins and whatever its name', async () => {
    expect(await mediaTypeOf('x.ts', Buffer.from('BM is no picture'))).toBe('text/plain');
    expect(await mediaTypeOf('page.html', Buffer.from('<?xml version="1.0"?><p/>'))).toBe('text/html');
    expect(await mediaTypeOf('LICENSE', Buffer.from(''))).toBe('text/plain');
  });

  test('has to be a regular file: no device, pipe or directory is even opened', async () => {
    await mkdir(join(root, 'folder'));
    await promisify(execFile)('mkfifo', [join(root, 'pipe')]);
    for (const [path, found] of [
      ['/dev/zero', 'a device'],
      ['pipe', 'a named pipe'],
      ['folder', 'a directory'],
    ] as const) {
      expect(await attach(app, [path])).toMatchObject({ exit: 2, code: 'attachment_kind', found });
    }
    expect(await attach(app, ['nowhere.txt'])).toMatchObject({ exit: 4, code: 'attachment_unreadable' });
  });

  test('is bounded in size and number', async () => {
    await put('large.txt', '');
    await truncate(join(root, 'large.txt'), MESSAGE_LIMITS.attachmentBytes + 1);
    expect(await attach(app, ['large.txt'])).toMatchObject({ code: 'attachment_limit' });
    expect(
      await attach(
        app,
        Array.from({ length: 11 }, () => 'large.txt'),
      ),
    ).toMatchObject({ code: 'attachment_limit' });
  });

  test('leaves nothing behind when another one is refused', async () => {
    await put('notes.md', 'only here');
    expect(await attach(app, ['notes.md', '/dev/null'])).toMatchObject({ code: 'attachment_kind' });
    expect(await app.store.gcContent({ olderThan: Number.MAX_SAFE_INTEGER })).toBe(0);
  });
});
