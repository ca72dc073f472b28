/** Deletes the browser's database, so that the next test starts from an empty one. */
import { deleteDB } from "idb";

export const deleteBrowserStore = (): Promise<void> => deleteDB("lantern-work");
