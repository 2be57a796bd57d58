/** Why files cannot be taken; the codes are those of every surface (chapter 4 §2.6). */
export interface AttachmentRefusal {
  readonly code: 'attachment_type' | 'attachment_limit' | 'attachment_expired';
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  readonly next: string;
}

export const isAttachmentRefusal = (value: unknown): value is AttachmentRefusal =>
  typeof value === 'object' && value !== null && 'code' in value && String(value.code).startsWith('attachment_');
