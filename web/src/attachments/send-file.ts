import { type ClientProblem, isProblem, type Upload } from '../../../src/client/index.ts';
import { recall } from '../shell/remember.ts';

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LOST: ClientProblem = {
  code: 'connection_lost',
  status: 0,
  detail: 'The connection was lost before the file had arrived.',
};

export type Sent = { readonly upload: Upload } | { readonly problem: ClientProblem };

interface Sending {
  /** 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Sends a file as it is. `fetch` tells no progress of what it sends, so it is the older way. */
export function sendFile(file: File, { onProgress, signal }: Sending): Promise<Sent> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const token = recall('token');
    request.open('POST', `/api/v1/attachments?${new URLSearchParams({ name: file.name })}`);
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    if (token !== undefined) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const body = bodyOf(request.responseText);
      if (request.status === 201) return resolve({ upload: body as Upload });
      resolve({ problem: isProblem(body) ? body : { ...LOST, code: 'unexpected_answer', status: request.status } });
    };
    request.onerror = () => resolve({ problem: LOST });
    request.onabort = () => resolve({ problem: LOST });
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}
