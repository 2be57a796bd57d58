/** `npm run client`: writes the types of `workcenter/client` from the OpenAPI document of the routes as they are. */
import { writeFileSync } from 'node:fs';
import { clientSchema } from './client/client-schema.ts';
import { openApiDocument } from './client/open-api-document.ts';

const target = 'src/client/schema.ts';
writeFileSync(target, await clientSchema(openApiDocument()));
console.log(`wrote ${target}`);
