// What mail clients do not know of the HTML parts in a folder, by the tables of caniemail.com: a line for each feature, with the
// clients that do not know it. `node clients.mjs FOLDER-OF-PARTS`, where the package `caniemail` is installed beside this file's copy.
import { readdirSync, readFileSync } from 'node:fs';
import { caniemail } from 'caniemail';

const clients = ['gmail.*', 'outlook.*', 'apple-mail.*', 'yahoo.*'];
const folder = process.argv[2];
const unknown = new Map();
for (const name of readdirSync(folder).filter((name) => name.endsWith('.html'))) {
  const html = readFileSync(`${folder}/${name}`, 'utf8');
  for (const [client, issues] of caniemail({ clients, html }).issues.errors) {
    for (const { title } of issues) {
      unknown.set(title, (unknown.get(title) ?? new Set()).add(client));
    }
  }
}
for (const title of [...unknown.keys()].sort()) {
  console.log(`${title}: ${[...unknown.get(title)].sort().join(' ')}`);
}
