/** The page of the object that an audit entry is about. */

interface AuditTarget {
  target_type: string;
  target_id: number;
  data?: Readonly<Record<string, unknown>> | undefined;
}

function numberIn(data: AuditTarget["data"], key: string): number | null {
  const value = data?.[key];
  return typeof value === "number" ? value : null;
}

/** The address below /b/:slug, or null for what has no page. */
export function pageOf(event: AuditTarget): string | null {
  const { target_type: type, target_id: id, data } = event;
  switch (type) {
    case "image":
      return `/pictures/${id}`;
    case "package":
      return `/packages/${id}`;
    case "release":
      return `/releases/${id}`;
    case "submission": {
      const release = numberIn(data, "release_id");
      return release === null ? null : `/releases/${release}/submissions/${id}`;
    }
    case "concept": {
      const image = numberIn(data, "image_id");
      return image === null ? null : `/pictures/${image}`;
    }
    case "import":
      return `/imports/${id}`;
    case "person":
      return `/people/${id}`;
    case "outsider":
      return "/people/outsiders";
    case "team":
      return "/people/teams";
    case "invitation":
      return "/people/invitations";
    case "board":
    case "boardentry":
      return "/category-board";
    case "categorylistversion":
      return "/protocol/lists";
    case "benchmark":
    case "protocol":
      return "/protocol";
    case "itemset":
      return `/sets/${id}`;
    case "run":
      return `/runs/${id}`;
    case "guideline":
      return typeof data?.kind === "string" ? `/guidelines/${data.kind}` : "/guidelines";
    case "trial": // of a prompt
    case "prompt": {
      const no = numberIn(data, "no");
      if (no === null || typeof data?.prompt !== "string" || typeof data.language !== "string") return "/prompts";
      return `/prompts/${data.prompt}/${data.language}/${no}`;
    }
    case "item":
      return `/items/${id}`;
    case "inspection": {
      const pack = numberIn(data, "package_id");
      return pack === null ? null : `/packages/${pack}/inspection`;
    }
    default:
      return null;
  }
}
