import { readCsv } from './csv.js';
import { invoices } from './invoice.js';
import { report } from './report.js';

/** From the text of an order list to the text of all invoices. */
export const invoicesFromCsv = (text) => invoices(readCsv(text)).map(report).join('\n\n');
