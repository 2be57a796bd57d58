import type { Words } from '../catalogue.ts';
import type { settings as English } from '../en/settings.ts';

export const settings: Words<typeof English> = { settings: { title: '设置' } };
