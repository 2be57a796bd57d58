import { readMoney, roundCents } from './money.js';
import { taxTable } from './tax.js';

/** One line of an invoice from one order: quantities may have decimals, amounts are whole cents. */
export function invoiceLine({ article, quantity, price, rate }) {
  const count = Number(quantity);
  if (!Number.isFinite(count)) throw new RangeError(`not a quantity: ${quantity}`);
  return { article, count, rate, netCents: roundCents(count * readMoney(price)) };
}

/** One invoice per customer, in the order in which they first appear. */
export function invoices(orders) {
  const byCustomer = new Map();
  for (const order of orders) {
    const lines = byCustomer.get(order.customer) ?? [];
    byCustomer.set(order.customer, [...lines, invoiceLine(order)]);
  }
  return [...byCustomer].map(([customer, lines]) => {
    const taxes = taxTable(lines);
    const netCents = taxes.reduce((sum, tax) => sum + tax.netCents, 0);
    const taxCents = taxes.reduce((sum, tax) => sum + tax.taxCents, 0);
    return { customer, lines, taxes, netCents, taxCents, grossCents: netCents + taxCents };
  });
}
