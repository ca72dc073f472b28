/** One of the browser's own databases: opened when it is first used, and again after the browser closed it. */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";

/** Returns what opens the database, in its first version, with the stores that `create` makes. */
export function browserDatabase<Schema extends DBSchema>(name: string, create: (db: IDBPDatabase<Schema>) => void): () => Promise<IDBPDatabase<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  return () => {
    opened ??= openDB<Schema>(name, 1, {
      upgrade: create,
      // A newer version of the page in another tab must not wait for this connection to close.
      blocking(_version, _newVersion, event) {
        opened = null;
        (event.target as IDBDatabase).close();
      },
      terminated() {
        opened = null;
      },
    }).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}
