/** Where pictures come from: files and, where an administrator switched them on, web addresses. */
import { useState, type RefObject } from "react";
import { useRead } from "@/api/queries";
import { useMay } from "@/api/session";
import type { PictureRules } from "../protocol";
import { Addresses } from "./Addresses";
import { DropZone } from "./DropZone";

interface SourcesProps {
  slug: string;
  rules: PictureRules;
  input: RefObject<HTMLInputElement | null>;
  isSmall: boolean;
  onFiles: (files: File[]) => void;
  /** Files at web addresses have arrived as uploads. */
  onFetched: () => void;
}

export function Sources({ slug, onFetched, ...files }: SourcesProps) {
  const may = useMay(slug);
  const setting = useRead("url_setting_show", { path: { b: slug } }, { enabled: may("url_list_create") });
  const [isOpen, setIsOpen] = useState(false);
  const mostLines = setting.data?.is_on === true ? setting.data.most_lines : null;
  return (
    <>
      <DropZone {...files} onAddresses={mostLines === null ? null : () => setIsOpen(!isOpen)} areAddressesOpen={isOpen} />
      {isOpen && mostLines !== null && <Addresses slug={slug} mostLines={mostLines} onFetched={onFetched} />}
    </>
  );
}
