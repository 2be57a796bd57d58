/** Files that go along with a goal or a message. */
export const files = {
  files: {
    title: 'Attachments',
    add: 'Add files',
    hint: 'Drop, paste or choose. PNG, JPEG, GIF, WebP, PDF or UTF-8 text; {each} each, {files, number} files, {all} in all.',
    drop: 'Drop to attach',
    sending: 'Sending {name}',
    remove: 'Remove {name}',
    again: 'Send again',
    expired: 'No longer on the server. Remove it and choose it again.',
    tooLarge: 'Too large: {found}. At most {limit} fit.',
    waiting: 'Waiting for the files to arrive…',
    tooMany: 'At most {limit, number} files.',
    attach: 'Attach files',
  },
} as const;
