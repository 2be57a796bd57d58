import type { Answer, WorkCenterClient } from '../../client/index.ts';
import type { CommandBody } from '../../core/command.ts';
import type { Contract } from '../../core/model/contract.ts';

/** The parts of a contract as the API takes them; versions are the engine's to count. */
function partsOf({ title, goal, criteria, setup, delivery, instructions }: Contract) {
  return {
    ...{ title, goal, delivery: { ...delivery }, instructions: instructions ?? null },
    setup: setup ? { ...setup, inputs: [...setup.inputs] } : null,
    criteria: criteria.map(({ id, text, minProof, check }) => ({
      ...{ id, text, minProof },
      ...(check ? { check: { ...check, protect: [...check.protect] } } : {}),
    })),
  };
}

type Sent = Promise<Answer<unknown>>;

/** Sends what a person asks of an item over HTTP, once under its key; undefined for what HTTP cannot say. */
export function sendCommand(
  client: WorkCenterClient,
  id: string,
  body: CommandBody,
  key: string,
  files: readonly string[] = [],
): Sent | undefined {
  const header = { 'idempotency-key': key };
  const item = { params: { path: { id }, header } };
  const actionOf = (actionId: string) => ({ params: { path: { id, actionId }, header } });
  switch (body.type) {
    case 'StartItem':
      return client.post('/api/v1/work-items/{id}/start', { ...item, body: {} });
    case 'ReopenItem':
      return client.post('/api/v1/work-items/{id}/reopen', { ...item, body: {} });
    case 'StopItem':
      return client.post('/api/v1/work-items/{id}/stop', { ...item, body: { reason: body.reason } });
    case 'ResumeItem':
      return client.post('/api/v1/work-items/{id}/resume', { ...item, body: { controlVersion: body.controlVersion } });
    case 'ExtendBudget': {
      const { type: _type, ...amounts } = body;
      return client.post('/api/v1/work-items/{id}/extend', { ...item, body: amounts });
    }
    case 'RetryAction': {
      const { type: _type, actionId, ...rest } = body;
      return client.post('/api/v1/work-items/{id}/actions/{actionId}/retry', { ...actionOf(actionId), body: rest });
    }
    case 'RedirectAction': {
      const { type: _type, actionId, ...rest } = body;
      return client.post('/api/v1/work-items/{id}/actions/{actionId}/redirect', { ...actionOf(actionId), body: rest });
    }
    case 'CloseAction': {
      const { type: _type, actionId, ...rest } = body;
      return client.post('/api/v1/work-items/{id}/actions/{actionId}/close', { ...actionOf(actionId), body: rest });
    }
    default:
      return sendWords(client, id, body, key, files);
  }
}

/** What carries words of a person, with fences of its own. */
function sendWords(
  client: WorkCenterClient,
  id: string,
  body: CommandBody,
  key: string,
  files: readonly string[],
): Sent | undefined {
  const header = { 'idempotency-key': key };
  switch (body.type) {
    case 'ResolveOperation': {
      const { type: _type, operationId, ...rest } = body;
      const params = { path: { id, operationId }, header };
      return client.post('/api/v1/work-items/{id}/operations/{operationId}/resolution', { params, body: rest });
    }
    case 'AnswerRequest': {
      const { requestId, choice, text, attachments = [] } = body;
      if (attachments.length !== files.length) return undefined;
      const params = { path: { id, requestId }, header };
      return client.post('/api/v1/work-items/{id}/requests/{requestId}/resolution', {
        params,
        body: { choice, text, attachments: [...files] },
      });
    }
    case 'PostMessage': {
      const { target, generation, text, quote, attachments } = body;
      if (attachments.length !== files.length) return undefined;
      const fence = generation === undefined || target.kind !== 'action' ? {} : { generation };
      const said = { text, attachments: [...files], clientMessageId: key, ...(quote ? { quote: { ...quote } } : {}) };
      const params = { path: { id }, header };
      return client.post('/api/v1/work-items/{id}/messages', {
        params,
        body: { ...said, target: { ...target, ...fence } },
      });
    }
    case 'EditContract': {
      const params = { path: { id }, header: { ...header, 'if-match': `"${body.contractVersion}"` } };
      return client.patch('/api/v1/work-items/{id}/contract', { params, body: partsOf(body.contract) });
    }
    default:
      return undefined;
  }
}
