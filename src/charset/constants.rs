//! A constant for each charset: its name in capitals, with one `_` for whatever is no letter or
//! digit.

use super::value::{Charset, named};

/// The charsets that this library knows, by name.
impl Charset {
    /// `Adobe-Standard-Encoding`.
    pub const ADOBE_STANDARD_ENCODING: Charset = named("Adobe-Standard-Encoding");
    /// `Adobe-Symbol-Encoding`.
    pub const ADOBE_SYMBOL_ENCODING: Charset = named("Adobe-Symbol-Encoding");
    /// `Amiga-1251`.
    pub const AMIGA_1251: Charset = named("Amiga-1251");
    /// `ANSI_X3.110-1983`.
    pub const ANSI_X3_110_1983: Charset = named("ANSI_X3.110-1983");
    /// `ARMSCII-8`.
    pub const ARMSCII_8: Charset = named("ARMSCII-8");
    /// `ASMO_449`.
    pub const ASMO_449: Charset = named("ASMO_449");
    /// `Big5`.
    pub const BIG5: Charset = named("Big5");
    /// `Big5-HKSCS`.
    pub const BIG5_HKSCS: Charset = named("Big5-HKSCS");
    /// `BOCU-1`.
    pub const BOCU_1: Charset = named("BOCU-1");
    /// `BRF`.
    pub const BRF: Charset = named("BRF");
    /// `BS_4730`.
    pub const BS_4730: Charset = named("BS_4730");
    /// `BS_viewdata`.
    pub const BS_VIEWDATA: Charset = named("BS_viewdata");
    /// `CESU-8`.
    pub const CESU_8: Charset = named("CESU-8");
    /// `CN-GB-12345`.
    pub const CN_GB_12345: Charset = named("CN-GB-12345");
    /// `CN-GB-ISOIR165`.
    pub const CN_GB_ISOIR165: Charset = named("CN-GB-ISOIR165");
    /// `CP1125`.
    pub const CP1125: Charset = named("CP1125");
    /// `CP50220`.
    pub const CP50220: Charset = named("CP50220");
    /// `CP51932`.
    pub const CP51932: Charset = named("CP51932");
    /// `CSA_Z243.4-1985-1`.
    pub const CSA_Z243_4_1985_1: Charset = named("CSA_Z243.4-1985-1");
    /// `CSA_Z243.4-1985-2`.
    pub const CSA_Z243_4_1985_2: Charset = named("CSA_Z243.4-1985-2");
    /// `CSA_Z243.4-1985-gr`.
    pub const CSA_Z243_4_1985_GR: Charset = named("CSA_Z243.4-1985-gr");
    /// `CSN_369103`.
    pub const CSN_369103: Charset = named("CSN_369103");
    /// `DEC-MCS`.
    pub const DEC_MCS: Charset = named("DEC-MCS");
    /// `DIN_66003`.
    pub const DIN_66003: Charset = named("DIN_66003");
    /// `dk-us`.
    pub const DK_US: Charset = named("dk-us");
    /// `DS_2089`.
    pub const DS_2089: Charset = named("DS_2089");
    /// `EBCDIC-AT-DE`.
    pub const EBCDIC_AT_DE: Charset = named("EBCDIC-AT-DE");
    /// `EBCDIC-AT-DE-A`.
    pub const EBCDIC_AT_DE_A: Charset = named("EBCDIC-AT-DE-A");
    /// `EBCDIC-CA-FR`.
    pub const EBCDIC_CA_FR: Charset = named("EBCDIC-CA-FR");
    /// `EBCDIC-DK-NO`.
    pub const EBCDIC_DK_NO: Charset = named("EBCDIC-DK-NO");
    /// `EBCDIC-DK-NO-A`.
    pub const EBCDIC_DK_NO_A: Charset = named("EBCDIC-DK-NO-A");
    /// `EBCDIC-ES`.
    pub const EBCDIC_ES: Charset = named("EBCDIC-ES");
    /// `EBCDIC-ES-A`.
    pub const EBCDIC_ES_A: Charset = named("EBCDIC-ES-A");
    /// `EBCDIC-ES-S`.
    pub const EBCDIC_ES_S: Charset = named("EBCDIC-ES-S");
    /// `EBCDIC-FI-SE`.
    pub const EBCDIC_FI_SE: Charset = named("EBCDIC-FI-SE");
    /// `EBCDIC-FI-SE-A`.
    pub const EBCDIC_FI_SE_A: Charset = named("EBCDIC-FI-SE-A");
    /// `EBCDIC-FR`.
    pub const EBCDIC_FR: Charset = named("EBCDIC-FR");
    /// `EBCDIC-IT`.
    pub const EBCDIC_IT: Charset = named("EBCDIC-IT");
    /// `EBCDIC-PT`.
    pub const EBCDIC_PT: Charset = named("EBCDIC-PT");
    /// `EBCDIC-UK`.
    pub const EBCDIC_UK: Charset = named("EBCDIC-UK");
    /// `EBCDIC-US`.
    pub const EBCDIC_US: Charset = named("EBCDIC-US");
    /// `ECMA-cyrillic`.
    pub const ECMA_CYRILLIC: Charset = named("ECMA-cyrillic");
    /// `ES`.
    pub const ES: Charset = named("ES");
    /// `ES2`.
    pub const ES2: Charset = named("ES2");
    /// `EUC-JISX0213`.
    pub const EUC_JISX0213: Charset = named("EUC-JISX0213");
    /// `EUC-JP`, registered as `Extended_UNIX_Code_Packed_Format_for_Japanese`.
    pub const EUC_JP: Charset = named("EUC-JP");
    /// `EUC-KR`.
    pub const EUC_KR: Charset = named("EUC-KR");
    /// `EUC-TW`.
    pub const EUC_TW: Charset = named("EUC-TW");
    /// `Extended_UNIX_Code_Fixed_Width_for_Japanese`.
    pub const EXTENDED_UNIX_CODE_FIXED_WIDTH_FOR_JAPANESE: Charset =
        named("Extended_UNIX_Code_Fixed_Width_for_Japanese");
    /// `GB18030`.
    pub const GB18030: Charset = named("GB18030");
    /// `GB2312`.
    pub const GB2312: Charset = named("GB2312");
    /// `GB_1988-80`.
    pub const GB_1988_80: Charset = named("GB_1988-80");
    /// `GB_2312-80`.
    pub const GB_2312_80: Charset = named("GB_2312-80");
    /// `GBK`.
    pub const GBK: Charset = named("GBK");
    /// `GEORGIAN-ACADEMY`.
    pub const GEORGIAN_ACADEMY: Charset = named("GEORGIAN-ACADEMY");
    /// `GEORGIAN-PS`.
    pub const GEORGIAN_PS: Charset = named("GEORGIAN-PS");
    /// `GOST_19768-74`.
    pub const GOST_19768_74: Charset = named("GOST_19768-74");
    /// `greek-ccitt`.
    pub const GREEK_CCITT: Charset = named("greek-ccitt");
    /// `greek7`.
    pub const GREEK7: Charset = named("greek7");
    /// `greek7-old`.
    pub const GREEK7_OLD: Charset = named("greek7-old");
    /// `HP-DeskTop`.
    pub const HP_DESKTOP: Charset = named("HP-DeskTop");
    /// `HP-Legal`.
    pub const HP_LEGAL: Charset = named("HP-Legal");
    /// `HP-Math8`.
    pub const HP_MATH8: Charset = named("HP-Math8");
    /// `HP-Pi-font`.
    pub const HP_PI_FONT: Charset = named("HP-Pi-font");
    /// `hp-roman8`.
    pub const HP_ROMAN8: Charset = named("hp-roman8");
    /// `HZ-GB-2312`.
    pub const HZ_GB_2312: Charset = named("HZ-GB-2312");
    /// `IBM-Symbols`.
    pub const IBM_SYMBOLS: Charset = named("IBM-Symbols");
    /// `IBM-Thai`.
    pub const IBM_THAI: Charset = named("IBM-Thai");
    /// `IBM00858`.
    pub const IBM00858: Charset = named("IBM00858");
    /// `IBM00924`.
    pub const IBM00924: Charset = named("IBM00924");
    /// `IBM01140`.
    pub const IBM01140: Charset = named("IBM01140");
    /// `IBM01141`.
    pub const IBM01141: Charset = named("IBM01141");
    /// `IBM01142`.
    pub const IBM01142: Charset = named("IBM01142");
    /// `IBM01143`.
    pub const IBM01143: Charset = named("IBM01143");
    /// `IBM01144`.
    pub const IBM01144: Charset = named("IBM01144");
    /// `IBM01145`.
    pub const IBM01145: Charset = named("IBM01145");
    /// `IBM01146`.
    pub const IBM01146: Charset = named("IBM01146");
    /// `IBM01147`.
    pub const IBM01147: Charset = named("IBM01147");
    /// `IBM01148`.
    pub const IBM01148: Charset = named("IBM01148");
    /// `IBM01149`.
    pub const IBM01149: Charset = named("IBM01149");
    /// `IBM037`.
    pub const IBM037: Charset = named("IBM037");
    /// `IBM038`.
    pub const IBM038: Charset = named("IBM038");
    /// `IBM1026`.
    pub const IBM1026: Charset = named("IBM1026");
    /// `IBM1047`.
    pub const IBM1047: Charset = named("IBM1047");
    /// `IBM273`.
    pub const IBM273: Charset = named("IBM273");
    /// `IBM274`.
    pub const IBM274: Charset = named("IBM274");
    /// `IBM275`.
    pub const IBM275: Charset = named("IBM275");
    /// `IBM277`.
    pub const IBM277: Charset = named("IBM277");
    /// `IBM278`.
    pub const IBM278: Charset = named("IBM278");
    /// `IBM280`.
    pub const IBM280: Charset = named("IBM280");
    /// `IBM281`.
    pub const IBM281: Charset = named("IBM281");
    /// `IBM284`.
    pub const IBM284: Charset = named("IBM284");
    /// `IBM285`.
    pub const IBM285: Charset = named("IBM285");
    /// `IBM290`.
    pub const IBM290: Charset = named("IBM290");
    /// `IBM297`.
    pub const IBM297: Charset = named("IBM297");
    /// `IBM420`.
    pub const IBM420: Charset = named("IBM420");
    /// `IBM423`.
    pub const IBM423: Charset = named("IBM423");
    /// `IBM424`.
    pub const IBM424: Charset = named("IBM424");
    /// `IBM437`.
    pub const IBM437: Charset = named("IBM437");
    /// `IBM500`.
    pub const IBM500: Charset = named("IBM500");
    /// `IBM720`.
    pub const IBM720: Charset = named("IBM720");
    /// `IBM737`.
    pub const IBM737: Charset = named("IBM737");
    /// `IBM775`.
    pub const IBM775: Charset = named("IBM775");
    /// `IBM850`.
    pub const IBM850: Charset = named("IBM850");
    /// `IBM851`.
    pub const IBM851: Charset = named("IBM851");
    /// `IBM852`.
    pub const IBM852: Charset = named("IBM852");
    /// `IBM855`.
    pub const IBM855: Charset = named("IBM855");
    /// `IBM857`.
    pub const IBM857: Charset = named("IBM857");
    /// `IBM860`.
    pub const IBM860: Charset = named("IBM860");
    /// `IBM861`.
    pub const IBM861: Charset = named("IBM861");
    /// `IBM862`.
    pub const IBM862: Charset = named("IBM862");
    /// `IBM863`.
    pub const IBM863: Charset = named("IBM863");
    /// `IBM864`.
    pub const IBM864: Charset = named("IBM864");
    /// `IBM865`.
    pub const IBM865: Charset = named("IBM865");
    /// `IBM866`.
    pub const IBM866: Charset = named("IBM866");
    /// `IBM868`.
    pub const IBM868: Charset = named("IBM868");
    /// `IBM869`.
    pub const IBM869: Charset = named("IBM869");
    /// `IBM870`.
    pub const IBM870: Charset = named("IBM870");
    /// `IBM871`.
    pub const IBM871: Charset = named("IBM871");
    /// `IBM880`.
    pub const IBM880: Charset = named("IBM880");
    /// `IBM891`.
    pub const IBM891: Charset = named("IBM891");
    /// `IBM903`.
    pub const IBM903: Charset = named("IBM903");
    /// `IBM904`.
    pub const IBM904: Charset = named("IBM904");
    /// `IBM905`.
    pub const IBM905: Charset = named("IBM905");
    /// `IBM918`.
    pub const IBM918: Charset = named("IBM918");
    /// `IEC_P27-1`.
    pub const IEC_P27_1: Charset = named("IEC_P27-1");
    /// `INIS`.
    pub const INIS: Charset = named("INIS");
    /// `INIS-8`.
    pub const INIS_8: Charset = named("INIS-8");
    /// `INIS-cyrillic`.
    pub const INIS_CYRILLIC: Charset = named("INIS-cyrillic");
    /// `INVARIANT`.
    pub const INVARIANT: Charset = named("INVARIANT");
    /// `ISO-10646-J-1`.
    pub const ISO_10646_J_1: Charset = named("ISO-10646-J-1");
    /// `ISO-10646-UCS-2`.
    pub const ISO_10646_UCS_2: Charset = named("ISO-10646-UCS-2");
    /// `ISO-10646-UCS-4`.
    pub const ISO_10646_UCS_4: Charset = named("ISO-10646-UCS-4");
    /// `ISO-10646-UCS-Basic`.
    pub const ISO_10646_UCS_BASIC: Charset = named("ISO-10646-UCS-Basic");
    /// `ISO-10646-Unicode-Latin1`.
    pub const ISO_10646_UNICODE_LATIN1: Charset = named("ISO-10646-Unicode-Latin1");
    /// `ISO-10646-UTF-1`.
    pub const ISO_10646_UTF_1: Charset = named("ISO-10646-UTF-1");
    /// `ISO-11548-1`.
    pub const ISO_11548_1: Charset = named("ISO-11548-1");
    /// `ISO-2022-CN`.
    pub const ISO_2022_CN: Charset = named("ISO-2022-CN");
    /// `ISO-2022-CN-EXT`.
    pub const ISO_2022_CN_EXT: Charset = named("ISO-2022-CN-EXT");
    /// `ISO-2022-JP`.
    pub const ISO_2022_JP: Charset = named("ISO-2022-JP");
    /// `ISO-2022-JP-1`.
    pub const ISO_2022_JP_1: Charset = named("ISO-2022-JP-1");
    /// `ISO-2022-JP-2`.
    pub const ISO_2022_JP_2: Charset = named("ISO-2022-JP-2");
    /// `ISO-2022-JP-2004`.
    pub const ISO_2022_JP_2004: Charset = named("ISO-2022-JP-2004");
    /// `ISO-2022-JP-3`.
    pub const ISO_2022_JP_3: Charset = named("ISO-2022-JP-3");
    /// `ISO-2022-KR`.
    pub const ISO_2022_KR: Charset = named("ISO-2022-KR");
    /// `ISO-8859-1`, registered as `ISO_8859-1:1987`.
    pub const ISO_8859_1: Charset = named("ISO-8859-1");
    /// `ISO-8859-1-Windows-3.0-Latin-1`.
    pub const ISO_8859_1_WINDOWS_3_0_LATIN_1: Charset = named("ISO-8859-1-Windows-3.0-Latin-1");
    /// `ISO-8859-1-Windows-3.1-Latin-1`.
    pub const ISO_8859_1_WINDOWS_3_1_LATIN_1: Charset = named("ISO-8859-1-Windows-3.1-Latin-1");
    /// `ISO-8859-10`.
    pub const ISO_8859_10: Charset = named("ISO-8859-10");
    /// `ISO-8859-13`.
    pub const ISO_8859_13: Charset = named("ISO-8859-13");
    /// `ISO-8859-14`.
    pub const ISO_8859_14: Charset = named("ISO-8859-14");
    /// `ISO-8859-15`.
    pub const ISO_8859_15: Charset = named("ISO-8859-15");
    /// `ISO-8859-16`.
    pub const ISO_8859_16: Charset = named("ISO-8859-16");
    /// `ISO-8859-2`, registered as `ISO_8859-2:1987`.
    pub const ISO_8859_2: Charset = named("ISO-8859-2");
    /// `ISO-8859-2-Windows-Latin-2`.
    pub const ISO_8859_2_WINDOWS_LATIN_2: Charset = named("ISO-8859-2-Windows-Latin-2");
    /// `ISO-8859-3`, registered as `ISO_8859-3:1988`.
    pub const ISO_8859_3: Charset = named("ISO-8859-3");
    /// `ISO-8859-4`, registered as `ISO_8859-4:1988`.
    pub const ISO_8859_4: Charset = named("ISO-8859-4");
    /// `ISO-8859-5`, registered as `ISO_8859-5:1988`.
    pub const ISO_8859_5: Charset = named("ISO-8859-5");
    /// `ISO-8859-6`, registered as `ISO_8859-6:1987`.
    pub const ISO_8859_6: Charset = named("ISO-8859-6");
    /// `ISO-8859-6-E`, registered as `ISO_8859-6-E`.
    pub const ISO_8859_6_E: Charset = named("ISO-8859-6-E");
    /// `ISO-8859-6-I`, registered as `ISO_8859-6-I`.
    pub const ISO_8859_6_I: Charset = named("ISO-8859-6-I");
    /// `ISO-8859-7`, registered as `ISO_8859-7:1987`.
    pub const ISO_8859_7: Charset = named("ISO-8859-7");
    /// `ISO-8859-8`, registered as `ISO_8859-8:1988`.
    pub const ISO_8859_8: Charset = named("ISO-8859-8");
    /// `ISO-8859-8-E`, registered as `ISO_8859-8-E`.
    pub const ISO_8859_8_E: Charset = named("ISO-8859-8-E");
    /// `ISO-8859-8-I`, registered as `ISO_8859-8-I`.
    pub const ISO_8859_8_I: Charset = named("ISO-8859-8-I");
    /// `ISO-8859-9`, registered as `ISO_8859-9:1989`.
    pub const ISO_8859_9: Charset = named("ISO-8859-9");
    /// `ISO-8859-9-Windows-Latin-5`.
    pub const ISO_8859_9_WINDOWS_LATIN_5: Charset = named("ISO-8859-9-Windows-Latin-5");
    /// `iso-ir-90`.
    pub const ISO_IR_90: Charset = named("iso-ir-90");
    /// `ISO-Unicode-IBM-1261`.
    pub const ISO_UNICODE_IBM_1261: Charset = named("ISO-Unicode-IBM-1261");
    /// `ISO-Unicode-IBM-1264`.
    pub const ISO_UNICODE_IBM_1264: Charset = named("ISO-Unicode-IBM-1264");
    /// `ISO-Unicode-IBM-1265`.
    pub const ISO_UNICODE_IBM_1265: Charset = named("ISO-Unicode-IBM-1265");
    /// `ISO-Unicode-IBM-1268`.
    pub const ISO_UNICODE_IBM_1268: Charset = named("ISO-Unicode-IBM-1268");
    /// `ISO-Unicode-IBM-1276`.
    pub const ISO_UNICODE_IBM_1276: Charset = named("ISO-Unicode-IBM-1276");
    /// `ISO_10367-box`.
    pub const ISO_10367_BOX: Charset = named("ISO_10367-box");
    /// `ISO_2033-1983`.
    pub const ISO_2033_1983: Charset = named("ISO_2033-1983");
    /// `ISO_5427`.
    pub const ISO_5427: Charset = named("ISO_5427");
    /// `ISO_5427:1981`.
    pub const ISO_5427_1981: Charset = named("ISO_5427:1981");
    /// `ISO_5428:1980`.
    pub const ISO_5428_1980: Charset = named("ISO_5428:1980");
    /// `ISO_646.basic:1983`.
    pub const ISO_646_BASIC_1983: Charset = named("ISO_646.basic:1983");
    /// `ISO_646.irv:1983`.
    pub const ISO_646_IRV_1983: Charset = named("ISO_646.irv:1983");
    /// `ISO_6937-2-25`.
    pub const ISO_6937_2_25: Charset = named("ISO_6937-2-25");
    /// `ISO_6937-2-add`.
    pub const ISO_6937_2_ADD: Charset = named("ISO_6937-2-add");
    /// `ISO_8859-supp`.
    pub const ISO_8859_SUPP: Charset = named("ISO_8859-supp");
    /// `IT`.
    pub const IT: Charset = named("IT");
    /// `JIS_C6220-1969-jp`.
    pub const JIS_C6220_1969_JP: Charset = named("JIS_C6220-1969-jp");
    /// `JIS_C6220-1969-ro`.
    pub const JIS_C6220_1969_RO: Charset = named("JIS_C6220-1969-ro");
    /// `JIS_C6226-1978`.
    pub const JIS_C6226_1978: Charset = named("JIS_C6226-1978");
    /// `JIS_C6226-1983`.
    pub const JIS_C6226_1983: Charset = named("JIS_C6226-1983");
    /// `JIS_C6229-1984-a`.
    pub const JIS_C6229_1984_A: Charset = named("JIS_C6229-1984-a");
    /// `JIS_C6229-1984-b`.
    pub const JIS_C6229_1984_B: Charset = named("JIS_C6229-1984-b");
    /// `JIS_C6229-1984-b-add`.
    pub const JIS_C6229_1984_B_ADD: Charset = named("JIS_C6229-1984-b-add");
    /// `JIS_C6229-1984-hand`.
    pub const JIS_C6229_1984_HAND: Charset = named("JIS_C6229-1984-hand");
    /// `JIS_C6229-1984-hand-add`.
    pub const JIS_C6229_1984_HAND_ADD: Charset = named("JIS_C6229-1984-hand-add");
    /// `JIS_C6229-1984-kana`.
    pub const JIS_C6229_1984_KANA: Charset = named("JIS_C6229-1984-kana");
    /// `JIS_Encoding`.
    pub const JIS_ENCODING: Charset = named("JIS_Encoding");
    /// `JIS_X0201`.
    pub const JIS_X0201: Charset = named("JIS_X0201");
    /// `JIS_X0212-1990`.
    pub const JIS_X0212_1990: Charset = named("JIS_X0212-1990");
    /// `JOHAB`.
    pub const JOHAB: Charset = named("JOHAB");
    /// `JUS_I.B1.002`.
    pub const JUS_I_B1_002: Charset = named("JUS_I.B1.002");
    /// `JUS_I.B1.003-mac`.
    pub const JUS_I_B1_003_MAC: Charset = named("JUS_I.B1.003-mac");
    /// `JUS_I.B1.003-serb`.
    pub const JUS_I_B1_003_SERB: Charset = named("JUS_I.B1.003-serb");
    /// `KOI7-switched`.
    pub const KOI7_SWITCHED: Charset = named("KOI7-switched");
    /// `KOI8-R`.
    pub const KOI8_R: Charset = named("KOI8-R");
    /// `KOI8-RU`.
    pub const KOI8_RU: Charset = named("KOI8-RU");
    /// `KOI8-T`.
    pub const KOI8_T: Charset = named("KOI8-T");
    /// `KOI8-U`.
    pub const KOI8_U: Charset = named("KOI8-U");
    /// `KS_C_5601-1987`.
    pub const KS_C_5601_1987: Charset = named("KS_C_5601-1987");
    /// `KSC5636`.
    pub const KSC5636: Charset = named("KSC5636");
    /// `KZ-1048`.
    pub const KZ_1048: Charset = named("KZ-1048");
    /// `latin-greek`.
    pub const LATIN_GREEK: Charset = named("latin-greek");
    /// `Latin-greek-1`.
    pub const LATIN_GREEK_1: Charset = named("Latin-greek-1");
    /// `latin-lap`.
    pub const LATIN_LAP: Charset = named("latin-lap");
    /// `macintosh`.
    pub const MACINTOSH: Charset = named("macintosh");
    /// `Microsoft-Publishing`.
    pub const MICROSOFT_PUBLISHING: Charset = named("Microsoft-Publishing");
    /// `MIK`.
    pub const MIK: Charset = named("MIK");
    /// `MNEM`.
    pub const MNEM: Charset = named("MNEM");
    /// `MNEMONIC`.
    pub const MNEMONIC: Charset = named("MNEMONIC");
    /// `MSZ_7795.3`.
    pub const MSZ_7795_3: Charset = named("MSZ_7795.3");
    /// `NATS-DANO`.
    pub const NATS_DANO: Charset = named("NATS-DANO");
    /// `NATS-DANO-ADD`.
    pub const NATS_DANO_ADD: Charset = named("NATS-DANO-ADD");
    /// `NATS-SEFI`.
    pub const NATS_SEFI: Charset = named("NATS-SEFI");
    /// `NATS-SEFI-ADD`.
    pub const NATS_SEFI_ADD: Charset = named("NATS-SEFI-ADD");
    /// `NC_NC00-10:81`.
    pub const NC_NC00_10_81: Charset = named("NC_NC00-10:81");
    /// `NEXTSTEP`.
    pub const NEXTSTEP: Charset = named("NEXTSTEP");
    /// `NF_Z_62-010`.
    pub const NF_Z_62_010: Charset = named("NF_Z_62-010");
    /// `NF_Z_62-010_(1973)`.
    pub const NF_Z_62_010_1973: Charset = named("NF_Z_62-010_(1973)");
    /// `NS_4551-1`.
    pub const NS_4551_1: Charset = named("NS_4551-1");
    /// `NS_4551-2`.
    pub const NS_4551_2: Charset = named("NS_4551-2");
    /// `OSD_EBCDIC_DF03_IRV`.
    pub const OSD_EBCDIC_DF03_IRV: Charset = named("OSD_EBCDIC_DF03_IRV");
    /// `OSD_EBCDIC_DF04_1`.
    pub const OSD_EBCDIC_DF04_1: Charset = named("OSD_EBCDIC_DF04_1");
    /// `OSD_EBCDIC_DF04_15`.
    pub const OSD_EBCDIC_DF04_15: Charset = named("OSD_EBCDIC_DF04_15");
    /// `PC8-Danish-Norwegian`.
    pub const PC8_DANISH_NORWEGIAN: Charset = named("PC8-Danish-Norwegian");
    /// `PC8-Turkish`.
    pub const PC8_TURKISH: Charset = named("PC8-Turkish");
    /// `PT`.
    pub const PT: Charset = named("PT");
    /// `PT2`.
    pub const PT2: Charset = named("PT2");
    /// `PTCP154`.
    pub const PTCP154: Charset = named("PTCP154");
    /// `SCSU`.
    pub const SCSU: Charset = named("SCSU");
    /// `SEN_850200_B`.
    pub const SEN_850200_B: Charset = named("SEN_850200_B");
    /// `SEN_850200_C`.
    pub const SEN_850200_C: Charset = named("SEN_850200_C");
    /// `Shift_JIS`.
    pub const SHIFT_JIS: Charset = named("Shift_JIS");
    /// `Shift_JIS-2004`.
    pub const SHIFT_JIS_2004: Charset = named("Shift_JIS-2004");
    /// `T.101-G2`.
    pub const T_101_G2: Charset = named("T.101-G2");
    /// `T.61-7bit`.
    pub const T_61_7BIT: Charset = named("T.61-7bit");
    /// `T.61-8bit`.
    pub const T_61_8BIT: Charset = named("T.61-8bit");
    /// `TCVN`.
    pub const TCVN: Charset = named("TCVN");
    /// `TIS-620`.
    pub const TIS_620: Charset = named("TIS-620");
    /// `TSCII`.
    pub const TSCII: Charset = named("TSCII");
    /// `unicode`.
    pub const UNICODE: Charset = named("unicode");
    /// `UNICODE-1-1`.
    pub const UNICODE_1_1: Charset = named("UNICODE-1-1");
    /// `UNICODE-1-1-UTF-7`.
    pub const UNICODE_1_1_UTF_7: Charset = named("UNICODE-1-1-UTF-7");
    /// UTF-8 over Unicode 1.1, whose Hangul has moved since (RFC 2279, section 5).
    pub const UNICODE_1_1_UTF_8: Charset = named("UNICODE-1-1-UTF-8");
    /// UNKNOWN-8BIT (RFC 1428): the declaration that nothing is declared.
    pub const UNKNOWN_8BIT: Charset = named("UNKNOWN-8BIT");
    /// US-ASCII (RFC 2046, section 4.1.2).
    pub const US_ASCII: Charset = named("US-ASCII");
    /// `us-dk`.
    pub const US_DK: Charset = named("us-dk");
    /// `UTF-16`.
    pub const UTF_16: Charset = named("UTF-16");
    /// `UTF-16BE`.
    pub const UTF_16BE: Charset = named("UTF-16BE");
    /// `UTF-16LE`.
    pub const UTF_16LE: Charset = named("UTF-16LE");
    /// `UTF-32`.
    pub const UTF_32: Charset = named("UTF-32");
    /// `UTF-32BE`.
    pub const UTF_32BE: Charset = named("UTF-32BE");
    /// `UTF-32LE`.
    pub const UTF_32LE: Charset = named("UTF-32LE");
    /// `UTF-7`.
    pub const UTF_7: Charset = named("UTF-7");
    /// `UTF-7-IMAP`.
    pub const UTF_7_IMAP: Charset = named("UTF-7-IMAP");
    /// UTF-8 (RFC 3629).
    pub const UTF_8: Charset = named("UTF-8");
    /// `Ventura-International`.
    pub const VENTURA_INTERNATIONAL: Charset = named("Ventura-International");
    /// `Ventura-Math`.
    pub const VENTURA_MATH: Charset = named("Ventura-Math");
    /// `Ventura-US`.
    pub const VENTURA_US: Charset = named("Ventura-US");
    /// `videotex-suppl`.
    pub const VIDEOTEX_SUPPL: Charset = named("videotex-suppl");
    /// `VIQR`.
    pub const VIQR: Charset = named("VIQR");
    /// `VISCII`.
    pub const VISCII: Charset = named("VISCII");
    /// `VPS`.
    pub const VPS: Charset = named("VPS");
    /// `windows-1250`.
    pub const WINDOWS_1250: Charset = named("windows-1250");
    /// `windows-1251`.
    pub const WINDOWS_1251: Charset = named("windows-1251");
    /// windows-1252, what unlabelled octets are most likely to be.
    pub const WINDOWS_1252: Charset = named("windows-1252");
    /// `windows-1253`.
    pub const WINDOWS_1253: Charset = named("windows-1253");
    /// `windows-1254`.
    pub const WINDOWS_1254: Charset = named("windows-1254");
    /// `windows-1255`.
    pub const WINDOWS_1255: Charset = named("windows-1255");
    /// `windows-1256`.
    pub const WINDOWS_1256: Charset = named("windows-1256");
    /// `windows-1257`.
    pub const WINDOWS_1257: Charset = named("windows-1257");
    /// `windows-1258`.
    pub const WINDOWS_1258: Charset = named("windows-1258");
    /// `Windows-31J`.
    pub const WINDOWS_31J: Charset = named("Windows-31J");
    /// `windows-874`.
    pub const WINDOWS_874: Charset = named("windows-874");
    /// `x-iscii-as`.
    pub const X_ISCII_AS: Charset = named("x-iscii-as");
    /// `x-iscii-be`.
    pub const X_ISCII_BE: Charset = named("x-iscii-be");
    /// `x-iscii-de`.
    pub const X_ISCII_DE: Charset = named("x-iscii-de");
    /// `x-iscii-gu`.
    pub const X_ISCII_GU: Charset = named("x-iscii-gu");
    /// `x-iscii-ka`.
    pub const X_ISCII_KA: Charset = named("x-iscii-ka");
    /// `x-iscii-ma`.
    pub const X_ISCII_MA: Charset = named("x-iscii-ma");
    /// `x-iscii-or`.
    pub const X_ISCII_OR: Charset = named("x-iscii-or");
    /// `x-iscii-pa`.
    pub const X_ISCII_PA: Charset = named("x-iscii-pa");
    /// `x-iscii-ta`.
    pub const X_ISCII_TA: Charset = named("x-iscii-ta");
    /// `x-iscii-te`.
    pub const X_ISCII_TE: Charset = named("x-iscii-te");
    /// `x-mac-arabic`.
    pub const X_MAC_ARABIC: Charset = named("x-mac-arabic");
    /// `x-mac-ce`.
    pub const X_MAC_CE: Charset = named("x-mac-ce");
    /// `x-mac-croatian`.
    pub const X_MAC_CROATIAN: Charset = named("x-mac-croatian");
    /// `x-mac-cyrillic`.
    pub const X_MAC_CYRILLIC: Charset = named("x-mac-cyrillic");
    /// `x-mac-farsi`.
    pub const X_MAC_FARSI: Charset = named("x-mac-farsi");
    /// `x-mac-greek`.
    pub const X_MAC_GREEK: Charset = named("x-mac-greek");
    /// `x-mac-hebrew`.
    pub const X_MAC_HEBREW: Charset = named("x-mac-hebrew");
    /// `x-mac-icelandic`.
    pub const X_MAC_ICELANDIC: Charset = named("x-mac-icelandic");
    /// `x-mac-romanian`.
    pub const X_MAC_ROMANIAN: Charset = named("x-mac-romanian");
    /// `x-mac-turkish`.
    pub const X_MAC_TURKISH: Charset = named("x-mac-turkish");
    /// `x-user-defined`.
    pub const X_USER_DEFINED: Charset = named("x-user-defined");
}

#[cfg(test)]
mod tests {
    use crate::charset::Charset;

    /// Each charset has its constant, and each constant its name.
    #[test]
    fn constants_are_those_of_the_names() {
        let text = include_str!("constants.rs").split("#[cfg(test)]").next();
        let rows = text.unwrap().split("    pub const ").skip(1);
        let found = rows.map(|row| {
            let (constant, value) = row.split_once(": Charset =").unwrap();
            let name = value.split('"').nth(1).unwrap();
            (constant.to_owned(), name)
        });
        let expected: Vec<(String, &str)> = Charset::all()
            .map(|charset| {
                let name = charset.name();
                let words = name.split(|it: char| !it.is_ascii_alphanumeric());
                let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
                (words.join("_").to_ascii_uppercase(), name)
            })
            .collect();
        let found: Vec<_> = found.collect();
        assert_eq!(found, expected);
    }
}
