/** Short aliases of the generated API types. */
import type { Answer } from "./request";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Localised = Schemas["LocalisedText"];
export type PersonRef = Schemas["PersonBrief"];

/** A list paged by cursor. */
export interface Page<Row> {
  results: Row[];
  next: string | null;
  /** Null where the server returns no total. */
  total: number | null;
  total_is_capped: boolean;
}

export type Erratum = Schemas["ErratumRow"];
export type Publication = Schemas["PublicationDetail"];

// People
export type Session = Schemas["SessionAnswer"];
export type SessionBenchmark = Schemas["MyBenchmark"];
export type SessionTeam = Schemas["MyTeam"];
export type Person = Schemas["PersonRow"];
export type PersonDetail = Schemas["PersonDetail"];
export type GrantRow = Schemas["GrantRow"];
export type Team = Schemas["TeamRow"];
export type Invitation = Schemas["InvitationRow"];
export type InvitationRead = Schemas["LinkAnswer"];
export type ConsentText = Schemas["ConsentAnswer"];
export type ApiToken = Schemas["TokenRow"];
export type Waiting = Schemas["WaitingAnswer"];
export type Job = Schemas["JobAnswer"];

// Benchmarks
export type Preset = Schemas["PresetRow"];
export type ProtocolRow = Schemas["ProtocolRow"];
export type ProtocolVersion = Schemas["ProtocolAnswer"];
export type ProtocolChange = Schemas["ProtocolChange"];
export type ProtocolCheck = Schemas["ProtocolCheckAnswer"];
export type RoleChange = Schemas["RoleChangeRow"];
export type Proposal = Schemas["ProposalAnswer"];
export type ProtocolEffect = Schemas["ProtocolEffect"];
export type Fault = Schemas["FaultRow"];
export type Pair = Schemas["PairRow"];
export type BenchmarkSummary = Schemas["BenchmarkRow"];
export type Benchmark = Schemas["BenchmarkAnswer"];
export type CategoryBoard = Schemas["CategoryBoardAnswer"];
export type BoardEntry = Schemas["BoardEntryRow"];
export type CategoryListRow = Schemas["CategoryListRow"];
export type CategoryList = Schemas["CategoryListAnswer"];
export type CategoryListCheck = Schemas["CategoryListCheckAnswer"];
export type CategoryListFault = Schemas["CategoryListFault"];
export type Category = Schemas["CategoryRow"];
export type Axis = Schemas["AxisAnswer"];
/** A code with its name from the protocol. */
export type Reason = Schemas["Reason"];

// Calls to models
export type Spending = Schemas["Spending"];
export type CallRow = Schemas["CallRow"];
export type CallDetail = Schemas["CallDetail"];
export type OfferRow = Schemas["OfferRow"];
export type AnswerPrice = Schemas["AnswerPrice"];
export type Trial = Schemas["TrialAnswer"];

// Pictures
export type Image = Schemas["ImageRow"];
export type ImageDetail = Schemas["ImageAnswer"];
export type ImageCounts = Schemas["ImageCounts"];
export type ImageObjects = Schemas["ImageObjects"];
export type CoverRow = Schemas["CoverRow"];
/** A picture with what detectors found in it, and earlier decisions. */
export type CoverDetail = Schemas["CoverDetail"];
export type CoverRegion = Schemas["CoverRegion"];
export type NearImageDetail = Schemas["NearImageDetail"];
export type SourceKind = Schemas["ImageSourceKind"];
export type UploadRow = Schemas["UploadRow"];
export type UrlListPreview = Schemas["UrlListPreview"];
export type UrlListRow = Schemas["UrlListRow"];
export type UploadCheck = Schemas["UploadCheck"];
export type UploadDetails = Schemas["UploadDetails"];

/** Who creates, writes and judges the items of a kind. */
export type Track = Schemas["ItemTrack"];

export type ItemPage = Schemas["ItemPage"];

// Packages and work
export type Package = Schemas["PackageRow"];
export type PackageDetail = Schemas["PackageDetail"];
export type WorkItem = Schemas["WorkItem"];
/** An item of a package without its content. */
export type Place = Schemas["PlaceRow"];
export type SheetItem = Schemas["SheetItem"];
/** What a card shows of an item that is judged right or wrong. */
export type JudgedItem = Pick<SheetItem, "id" | "label" | "state" | "revision_no" | "image" | "language" | "content" | "findings" | "reasons" | "comments">;
export type Finding = Schemas["FindingRow"];
/** The rules of the work's kind, distinguished by `kind`. */
export type WorkRules = Answer<"work_next">["rules"];
/** The tree of an item's content in `rules.content`, and its nodes. */
export type RecordNode = Schemas["RecordNode"];
export type TextNode = Schemas["TextNode"];
export type CodeNode = Schemas["CodeNode"];
/** An entry of the list that a code is chosen from. */
export type Choice = Schemas["Choice"];
/** The language of an item's texts where each team writes in its own. */
export type TextLanguage = Schemas["TextLanguage"];
export type ContentNode = Schemas["ContentNode"];
/** The rules of one kind, where a kind reads its own numbers. */
export type RulesOf<Kind extends WorkRules["kind"]> = Extract<WorkRules, { kind: Kind }>;
export type Submitted = Answer<"item_submit">;
export type InspectionSheet = Answer<"inspection_show">;
export type Inspection = InspectionSheet["inspection"];
export type InspectionItem = InspectionSheet["items"][number];
export type PoolSheet = Answer<"pool_show">;
export type PoolItem = PoolSheet["items"][number];
// Items of teams
export type TeamBoard = Schemas["TeamBoard"];
export type TeamPicture = Schemas["TeamPicture"];
export type TeamItem = Schemas["TeamItem"];
export type PeerItem = Schemas["PeerItem"];
export type FormField = Schemas["FormFieldRow"];
export type PeerPool = Schemas["PeerPool"];
export type HeldPeerItem = Schemas["HeldPeerItem"];
export type Clicking = Schemas["Clicking"];
export type ClickingPool = Schemas["ClickingPool"];
export type ClickRound = Schemas["ClickRoundRow"];
export type Click = Schemas["ClickRow"];
export type Lobby = Schemas["Lobby"];
export type Dialogue = Schemas["DialogueShow"];
export type DialogueTurn = Schemas["TurnRow"];
export type TurnList = Schemas["TurnList"];
export type SpotChecks = Schemas["SpotChecks"];
export type SpotCheck = Schemas["SpotCheck"];
export type TeamSpotCheck = Schemas["TeamSpotCheck"];
export type SpotCheckItem = Schemas["SpotCheckItem"];
export type SpotCheckSheet = Schemas["SpotCheckSheet"];
export type Credit = Schemas["Credit"];
export type CreditRow = Schemas["CreditRow"];

export type BuildRule = Schemas["PreviewInputRequest"];

// Releases and evaluation
export type Release = Schemas["ReleaseRow"];
export type ReleaseDetail = Schemas["ReleaseDetail"];
export type Gate = Schemas["GateRow"];
export type Import = Schemas["ImportDetail"];
export type ImportRow = Schemas["ImportReportRow"];
export type ItemSet = Schemas["SetRow"];
export type ItemSets = Schemas["SetsPage"];
export type ItemSetDetail = Schemas["SetDetail"];
export type RunCell = Schemas["RunCell"];
export type RunManner = Schemas["RunManner"];
export type RunPlan = Schemas["RunPlan"];
export type BoardFile = Schemas["BoardFile"];
export type ProfileBoard = Schemas["ProfileBoard"];
export type SystemsCompared = Schemas["SystemsCompared"];
export type SetScores = Schemas["SetScores"];
export type Prediction = Schemas["Prediction"];
export type PredictionFilters = Schemas["PredictionFilters"];
export type PredictionResult = Schemas["PredictionResult"];
export type PredictionRow = Schemas["PredictionRow"];
export type SetSuite = Schemas["SetSuite"];
export type Submission = Schemas["SubmissionRow"];
export type SubmissionDetail = Schemas["SubmissionDetail"];
export type SubmissionReport = Schemas["SubmissionReport"];
export type Figure = Schemas["ScoredFigure"];
export type SubmissionRequirements = Schemas["SubmissionRequirements"];
export type Run = Schemas["RunRow"];
export type RunDetail = Schemas["RunDetail"];

export type System = Schemas["SystemRow"];
export type SystemRevision = Schemas["SystemRevision"];
export type SystemDetail = Schemas["SystemDetail"];

// Prompts
export type PromptRow = Schemas["PromptRow"];
export type PromptVersionAnswer = Schemas["PromptAnswer"];
export type PromptPreview = Schemas["PromptPreview"];
