package finding

// Announcements.
const (
	AnnouncementWrong   Code = "announcement_wrong" // says what is not so
	AnnouncementMissing Code = "announcement_missing"
	DealtBeforeClose    Code = "dealt_before_close" // cards, ball or dice before the closing call
	AnnouncementOrder   Code = "announcement_order"
)

var callKinds = []Kind{
	{Code: AnnouncementWrong, About: Calls},
	{Code: AnnouncementMissing, About: Calls},
	{Code: DealtBeforeClose, About: Calls},
	{Code: AnnouncementOrder, About: Calls},
}
