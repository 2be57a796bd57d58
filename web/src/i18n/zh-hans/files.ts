import type { Words } from '../catalogue.ts';
import type { files as English } from '../en/files.ts';

export const files: Words<typeof English> = {
  files: {
    title: '附件',
    add: '添加文件',
    hint: '拖放、粘贴或选择。PNG、JPEG、GIF、WebP、PDF 或 UTF-8 文本；每个 {each}，最多 {files, number} 个，共 {all}。',
    drop: '松开以附上',
    sending: '正在发送 {name}',
    remove: '移除 {name}',
    again: '重新发送',
    expired: '服务器上已不存在。请移除后重新选择。',
    tooLarge: '太大：{found}。最多 {limit}。',
    waiting: '正在等待文件送达…',
    tooMany: '最多 {limit, number} 个文件。',
    attach: '附上文件',
  },
};
