import AppCore

// Made by generate-levels.py. The file stands here and is not made by the build: `swift build` alone
// builds the benchmarks from a clean clone, and generics would not do, because apps write such types
// out one by one.

/// 1 counters side by side.
struct Siblings1: Reducer {
  struct State {
    var child0 = 0
  }

  enum Action: ComponentAction {
    case child0(RootCounter.Action)
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.child0, action: /Action.child0) { RootCounter() }
  }
}

/// 10 counters side by side.
struct Siblings10: Reducer {
  struct State {
    var child0 = 0
    var child1 = 0
    var child2 = 0
    var child3 = 0
    var child4 = 0
    var child5 = 0
    var child6 = 0
    var child7 = 0
    var child8 = 0
    var child9 = 0
  }

  enum Action: ComponentAction {
    case child0(RootCounter.Action)
    case child1(RootCounter.Action)
    case child2(RootCounter.Action)
    case child3(RootCounter.Action)
    case child4(RootCounter.Action)
    case child5(RootCounter.Action)
    case child6(RootCounter.Action)
    case child7(RootCounter.Action)
    case child8(RootCounter.Action)
    case child9(RootCounter.Action)
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.child0, action: /Action.child0) { RootCounter() }
    Scope(state: \.child1, action: /Action.child1) { RootCounter() }
    Scope(state: \.child2, action: /Action.child2) { RootCounter() }
    Scope(state: \.child3, action: /Action.child3) { RootCounter() }
    Scope(state: \.child4, action: /Action.child4) { RootCounter() }
    Scope(state: \.child5, action: /Action.child5) { RootCounter() }
    Scope(state: \.child6, action: /Action.child6) { RootCounter() }
    Scope(state: \.child7, action: /Action.child7) { RootCounter() }
    Scope(state: \.child8, action: /Action.child8) { RootCounter() }
    Scope(state: \.child9, action: /Action.child9) { RootCounter() }
  }
}

/// 100 counters side by side.
struct Siblings100: Reducer {
  struct State {
    var child0 = 0
    var child1 = 0
    var child2 = 0
    var child3 = 0
    var child4 = 0
    var child5 = 0
    var child6 = 0
    var child7 = 0
    var child8 = 0
    var child9 = 0
    var child10 = 0
    var child11 = 0
    var child12 = 0
    var child13 = 0
    var child14 = 0
    var child15 = 0
    var child16 = 0
    var child17 = 0
    var child18 = 0
    var child19 = 0
    var child20 = 0
    var child21 = 0
    var child22 = 0
    var child23 = 0
    var child24 = 0
    var child25 = 0
    var child26 = 0
    var child27 = 0
    var child28 = 0
    var child29 = 0
    var child30 = 0
    var child31 = 0
    var child32 = 0
    var child33 = 0
    var child34 = 0
    var child35 = 0
    var child36 = 0
    var child37 = 0
    var child38 = 0
    var child39 = 0
    var child40 = 0
    var child41 = 0
    var child42 = 0
    var child43 = 0
    var child44 = 0
    var child45 = 0
    var child46 = 0
    var child47 = 0
    var child48 = 0
    var child49 = 0
    var child50 = 0
    var child51 = 0
    var child52 = 0
    var child53 = 0
    var child54 = 0
    var child55 = 0
    var child56 = 0
    var child57 = 0
    var child58 = 0
    var child59 = 0
    var child60 = 0
    var child61 = 0
    var child62 = 0
    var child63 = 0
    var child64 = 0
    var child65 = 0
    var child66 = 0
    var child67 = 0
    var child68 = 0
    var child69 = 0
    var child70 = 0
    var child71 = 0
    var child72 = 0
    var child73 = 0
    var child74 = 0
    var child75 = 0
    var child76 = 0
    var child77 = 0
    var child78 = 0
    var child79 = 0
    var child80 = 0
    var child81 = 0
    var child82 = 0
    var child83 = 0
    var child84 = 0
    var child85 = 0
    var child86 = 0
    var child87 = 0
    var child88 = 0
    var child89 = 0
    var child90 = 0
    var child91 = 0
    var child92 = 0
    var child93 = 0
    var child94 = 0
    var child95 = 0
    var child96 = 0
    var child97 = 0
    var child98 = 0
    var child99 = 0
  }

  enum Action: ComponentAction {
    case child0(RootCounter.Action)
    case child1(RootCounter.Action)
    case child2(RootCounter.Action)
    case child3(RootCounter.Action)
    case child4(RootCounter.Action)
    case child5(RootCounter.Action)
    case child6(RootCounter.Action)
    case child7(RootCounter.Action)
    case child8(RootCounter.Action)
    case child9(RootCounter.Action)
    case child10(RootCounter.Action)
    case child11(RootCounter.Action)
    case child12(RootCounter.Action)
    case child13(RootCounter.Action)
    case child14(RootCounter.Action)
    case child15(RootCounter.Action)
    case child16(RootCounter.Action)
    case child17(RootCounter.Action)
    case child18(RootCounter.Action)
    case child19(RootCounter.Action)
    case child20(RootCounter.Action)
    case child21(RootCounter.Action)
    case child22(RootCounter.Action)
    case child23(RootCounter.Action)
    case child24(RootCounter.Action)
    case child25(RootCounter.Action)
    case child26(RootCounter.Action)
    case child27(RootCounter.Action)
    case child28(RootCounter.Action)
    case child29(RootCounter.Action)
    case child30(RootCounter.Action)
    case child31(RootCounter.Action)
    case child32(RootCounter.Action)
    case child33(RootCounter.Action)
    case child34(RootCounter.Action)
    case child35(RootCounter.Action)
    case child36(RootCounter.Action)
    case child37(RootCounter.Action)
    case child38(RootCounter.Action)
    case child39(RootCounter.Action)
    case child40(RootCounter.Action)
    case child41(RootCounter.Action)
    case child42(RootCounter.Action)
    case child43(RootCounter.Action)
    case child44(RootCounter.Action)
    case child45(RootCounter.Action)
    case child46(RootCounter.Action)
    case child47(RootCounter.Action)
    case child48(RootCounter.Action)
    case child49(RootCounter.Action)
    case child50(RootCounter.Action)
    case child51(RootCounter.Action)
    case child52(RootCounter.Action)
    case child53(RootCounter.Action)
    case child54(RootCounter.Action)
    case child55(RootCounter.Action)
    case child56(RootCounter.Action)
    case child57(RootCounter.Action)
    case child58(RootCounter.Action)
    case child59(RootCounter.Action)
    case child60(RootCounter.Action)
    case child61(RootCounter.Action)
    case child62(RootCounter.Action)
    case child63(RootCounter.Action)
    case child64(RootCounter.Action)
    case child65(RootCounter.Action)
    case child66(RootCounter.Action)
    case child67(RootCounter.Action)
    case child68(RootCounter.Action)
    case child69(RootCounter.Action)
    case child70(RootCounter.Action)
    case child71(RootCounter.Action)
    case child72(RootCounter.Action)
    case child73(RootCounter.Action)
    case child74(RootCounter.Action)
    case child75(RootCounter.Action)
    case child76(RootCounter.Action)
    case child77(RootCounter.Action)
    case child78(RootCounter.Action)
    case child79(RootCounter.Action)
    case child80(RootCounter.Action)
    case child81(RootCounter.Action)
    case child82(RootCounter.Action)
    case child83(RootCounter.Action)
    case child84(RootCounter.Action)
    case child85(RootCounter.Action)
    case child86(RootCounter.Action)
    case child87(RootCounter.Action)
    case child88(RootCounter.Action)
    case child89(RootCounter.Action)
    case child90(RootCounter.Action)
    case child91(RootCounter.Action)
    case child92(RootCounter.Action)
    case child93(RootCounter.Action)
    case child94(RootCounter.Action)
    case child95(RootCounter.Action)
    case child96(RootCounter.Action)
    case child97(RootCounter.Action)
    case child98(RootCounter.Action)
    case child99(RootCounter.Action)
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.child0, action: /Action.child0) { RootCounter() }
    Scope(state: \.child1, action: /Action.child1) { RootCounter() }
    Scope(state: \.child2, action: /Action.child2) { RootCounter() }
    Scope(state: \.child3, action: /Action.child3) { RootCounter() }
    Scope(state: \.child4, action: /Action.child4) { RootCounter() }
    Scope(state: \.child5, action: /Action.child5) { RootCounter() }
    Scope(state: \.child6, action: /Action.child6) { RootCounter() }
    Scope(state: \.child7, action: /Action.child7) { RootCounter() }
    Scope(state: \.child8, action: /Action.child8) { RootCounter() }
    Scope(state: \.child9, action: /Action.child9) { RootCounter() }
    Scope(state: \.child10, action: /Action.child10) { RootCounter() }
    Scope(state: \.child11, action: /Action.child11) { RootCounter() }
    Scope(state: \.child12, action: /Action.child12) { RootCounter() }
    Scope(state: \.child13, action: /Action.child13) { RootCounter() }
    Scope(state: \.child14, action: /Action.child14) { RootCounter() }
    Scope(state: \.child15, action: /Action.child15) { RootCounter() }
    Scope(state: \.child16, action: /Action.child16) { RootCounter() }
    Scope(state: \.child17, action: /Action.child17) { RootCounter() }
    Scope(state: \.child18, action: /Action.child18) { RootCounter() }
    Scope(state: \.child19, action: /Action.child19) { RootCounter() }
    Scope(state: \.child20, action: /Action.child20) { RootCounter() }
    Scope(state: \.child21, action: /Action.child21) { RootCounter() }
    Scope(state: \.child22, action: /Action.child22) { RootCounter() }
    Scope(state: \.child23, action: /Action.child23) { RootCounter() }
    Scope(state: \.child24, action: /Action.child24) { RootCounter() }
    Scope(state: \.child25, action: /Action.child25) { RootCounter() }
    Scope(state: \.child26, action: /Action.child26) { RootCounter() }
    Scope(state: \.child27, action: /Action.child27) { RootCounter() }
    Scope(state: \.child28, action: /Action.child28) { RootCounter() }
    Scope(state: \.child29, action: /Action.child29) { RootCounter() }
    Scope(state: \.child30, action: /Action.child30) { RootCounter() }
    Scope(state: \.child31, action: /Action.child31) { RootCounter() }
    Scope(state: \.child32, action: /Action.child32) { RootCounter() }
    Scope(state: \.child33, action: /Action.child33) { RootCounter() }
    Scope(state: \.child34, action: /Action.child34) { RootCounter() }
    Scope(state: \.child35, action: /Action.child35) { RootCounter() }
    Scope(state: \.child36, action: /Action.child36) { RootCounter() }
    Scope(state: \.child37, action: /Action.child37) { RootCounter() }
    Scope(state: \.child38, action: /Action.child38) { RootCounter() }
    Scope(state: \.child39, action: /Action.child39) { RootCounter() }
    Scope(state: \.child40, action: /Action.child40) { RootCounter() }
    Scope(state: \.child41, action: /Action.child41) { RootCounter() }
    Scope(state: \.child42, action: /Action.child42) { RootCounter() }
    Scope(state: \.child43, action: /Action.child43) { RootCounter() }
    Scope(state: \.child44, action: /Action.child44) { RootCounter() }
    Scope(state: \.child45, action: /Action.child45) { RootCounter() }
    Scope(state: \.child46, action: /Action.child46) { RootCounter() }
    Scope(state: \.child47, action: /Action.child47) { RootCounter() }
    Scope(state: \.child48, action: /Action.child48) { RootCounter() }
    Scope(state: \.child49, action: /Action.child49) { RootCounter() }
    Scope(state: \.child50, action: /Action.child50) { RootCounter() }
    Scope(state: \.child51, action: /Action.child51) { RootCounter() }
    Scope(state: \.child52, action: /Action.child52) { RootCounter() }
    Scope(state: \.child53, action: /Action.child53) { RootCounter() }
    Scope(state: \.child54, action: /Action.child54) { RootCounter() }
    Scope(state: \.child55, action: /Action.child55) { RootCounter() }
    Scope(state: \.child56, action: /Action.child56) { RootCounter() }
    Scope(state: \.child57, action: /Action.child57) { RootCounter() }
    Scope(state: \.child58, action: /Action.child58) { RootCounter() }
    Scope(state: \.child59, action: /Action.child59) { RootCounter() }
    Scope(state: \.child60, action: /Action.child60) { RootCounter() }
    Scope(state: \.child61, action: /Action.child61) { RootCounter() }
    Scope(state: \.child62, action: /Action.child62) { RootCounter() }
    Scope(state: \.child63, action: /Action.child63) { RootCounter() }
    Scope(state: \.child64, action: /Action.child64) { RootCounter() }
    Scope(state: \.child65, action: /Action.child65) { RootCounter() }
    Scope(state: \.child66, action: /Action.child66) { RootCounter() }
    Scope(state: \.child67, action: /Action.child67) { RootCounter() }
    Scope(state: \.child68, action: /Action.child68) { RootCounter() }
    Scope(state: \.child69, action: /Action.child69) { RootCounter() }
    Scope(state: \.child70, action: /Action.child70) { RootCounter() }
    Scope(state: \.child71, action: /Action.child71) { RootCounter() }
    Scope(state: \.child72, action: /Action.child72) { RootCounter() }
    Scope(state: \.child73, action: /Action.child73) { RootCounter() }
    Scope(state: \.child74, action: /Action.child74) { RootCounter() }
    Scope(state: \.child75, action: /Action.child75) { RootCounter() }
    Scope(state: \.child76, action: /Action.child76) { RootCounter() }
    Scope(state: \.child77, action: /Action.child77) { RootCounter() }
    Scope(state: \.child78, action: /Action.child78) { RootCounter() }
    Scope(state: \.child79, action: /Action.child79) { RootCounter() }
    Scope(state: \.child80, action: /Action.child80) { RootCounter() }
    Scope(state: \.child81, action: /Action.child81) { RootCounter() }
    Scope(state: \.child82, action: /Action.child82) { RootCounter() }
    Scope(state: \.child83, action: /Action.child83) { RootCounter() }
    Scope(state: \.child84, action: /Action.child84) { RootCounter() }
    Scope(state: \.child85, action: /Action.child85) { RootCounter() }
    Scope(state: \.child86, action: /Action.child86) { RootCounter() }
    Scope(state: \.child87, action: /Action.child87) { RootCounter() }
    Scope(state: \.child88, action: /Action.child88) { RootCounter() }
    Scope(state: \.child89, action: /Action.child89) { RootCounter() }
    Scope(state: \.child90, action: /Action.child90) { RootCounter() }
    Scope(state: \.child91, action: /Action.child91) { RootCounter() }
    Scope(state: \.child92, action: /Action.child92) { RootCounter() }
    Scope(state: \.child93, action: /Action.child93) { RootCounter() }
    Scope(state: \.child94, action: /Action.child94) { RootCounter() }
    Scope(state: \.child95, action: /Action.child95) { RootCounter() }
    Scope(state: \.child96, action: /Action.child96) { RootCounter() }
    Scope(state: \.child97, action: /Action.child97) { RootCounter() }
    Scope(state: \.child98, action: /Action.child98) { RootCounter() }
    Scope(state: \.child99, action: /Action.child99) { RootCounter() }
  }
}

/// 200 counters side by side.
struct Siblings200: Reducer {
  struct State {
    var child0 = 0
    var child1 = 0
    var child2 = 0
    var child3 = 0
    var child4 = 0
    var child5 = 0
    var child6 = 0
    var child7 = 0
    var child8 = 0
    var child9 = 0
    var child10 = 0
    var child11 = 0
    var child12 = 0
    var child13 = 0
    var child14 = 0
    var child15 = 0
    var child16 = 0
    var child17 = 0
    var child18 = 0
    var child19 = 0
    var child20 = 0
    var child21 = 0
    var child22 = 0
    var child23 = 0
    var child24 = 0
    var child25 = 0
    var child26 = 0
    var child27 = 0
    var child28 = 0
    var child29 = 0
    var child30 = 0
    var child31 = 0
    var child32 = 0
    var child33 = 0
    var child34 = 0
    var child35 = 0
    var child36 = 0
    var child37 = 0
    var child38 = 0
    var child39 = 0
    var child40 = 0
    var child41 = 0
    var child42 = 0
    var child43 = 0
    var child44 = 0
    var child45 = 0
    var child46 = 0
    var child47 = 0
    var child48 = 0
    var child49 = 0
    var child50 = 0
    var child51 = 0
    var child52 = 0
    var child53 = 0
    var child54 = 0
    var child55 = 0
    var child56 = 0
    var child57 = 0
    var child58 = 0
    var child59 = 0
    var child60 = 0
    var child61 = 0
    var child62 = 0
    var child63 = 0
    var child64 = 0
    var child65 = 0
    var child66 = 0
    var child67 = 0
    var child68 = 0
    var child69 = 0
    var child70 = 0
    var child71 = 0
    var child72 = 0
    var child73 = 0
    var child74 = 0
    var child75 = 0
    var child76 = 0
    var child77 = 0
    var child78 = 0
    var child79 = 0
    var child80 = 0
    var child81 = 0
    var child82 = 0
    var child83 = 0
    var child84 = 0
    var child85 = 0
    var child86 = 0
    var child87 = 0
    var child88 = 0
    var child89 = 0
    var child90 = 0
    var child91 = 0
    var child92 = 0
    var child93 = 0
    var child94 = 0
    var child95 = 0
    var child96 = 0
    var child97 = 0
    var child98 = 0
    var child99 = 0
    var child100 = 0
    var child101 = 0
    var child102 = 0
    var child103 = 0
    var child104 = 0
    var child105 = 0
    var child106 = 0
    var child107 = 0
    var child108 = 0
    var child109 = 0
    var child110 = 0
    var child111 = 0
    var child112 = 0
    var child113 = 0
    var child114 = 0
    var child115 = 0
    var child116 = 0
    var child117 = 0
    var child118 = 0
    var child119 = 0
    var child120 = 0
    var child121 = 0
    var child122 = 0
    var child123 = 0
    var child124 = 0
    var child125 = 0
    var child126 = 0
    var child127 = 0
    var child128 = 0
    var child129 = 0
    var child130 = 0
    var child131 = 0
    var child132 = 0
    var child133 = 0
    var child134 = 0
    var child135 = 0
    var child136 = 0
    var child137 = 0
    var child138 = 0
    var child139 = 0
    var child140 = 0
    var child141 = 0
    var child142 = 0
    var child143 = 0
    var child144 = 0
    var child145 = 0
    var child146 = 0
    var child147 = 0
    var child148 = 0
    var child149 = 0
    var child150 = 0
    var child151 = 0
    var child152 = 0
    var child153 = 0
    var child154 = 0
    var child155 = 0
    var child156 = 0
    var child157 = 0
    var child158 = 0
    var child159 = 0
    var child160 = 0
    var child161 = 0
    var child162 = 0
    var child163 = 0
    var child164 = 0
    var child165 = 0
    var child166 = 0
    var child167 = 0
    var child168 = 0
    var child169 = 0
    var child170 = 0
    var child171 = 0
    var child172 = 0
    var child173 = 0
    var child174 = 0
    var child175 = 0
    var child176 = 0
    var child177 = 0
    var child178 = 0
    var child179 = 0
    var child180 = 0
    var child181 = 0
    var child182 = 0
    var child183 = 0
    var child184 = 0
    var child185 = 0
    var child186 = 0
    var child187 = 0
    var child188 = 0
    var child189 = 0
    var child190 = 0
    var child191 = 0
    var child192 = 0
    var child193 = 0
    var child194 = 0
    var child195 = 0
    var child196 = 0
    var child197 = 0
    var child198 = 0
    var child199 = 0
  }

  enum Action: ComponentAction {
    case child0(RootCounter.Action)
    case child1(RootCounter.Action)
    case child2(RootCounter.Action)
    case child3(RootCounter.Action)
    case child4(RootCounter.Action)
    case child5(RootCounter.Action)
    case child6(RootCounter.Action)
    case child7(RootCounter.Action)
    case child8(RootCounter.Action)
    case child9(RootCounter.Action)
    case child10(RootCounter.Action)
    case child11(RootCounter.Action)
    case child12(RootCounter.Action)
    case child13(RootCounter.Action)
    case child14(RootCounter.Action)
    case child15(RootCounter.Action)
    case child16(RootCounter.Action)
    case child17(RootCounter.Action)
    case child18(RootCounter.Action)
    case child19(RootCounter.Action)
    case child20(RootCounter.Action)
    case child21(RootCounter.Action)
    case child22(RootCounter.Action)
    case child23(RootCounter.Action)
    case child24(RootCounter.Action)
    case child25(RootCounter.Action)
    case child26(RootCounter.Action)
    case child27(RootCounter.Action)
    case child28(RootCounter.Action)
    case child29(RootCounter.Action)
    case child30(RootCounter.Action)
    case child31(RootCounter.Action)
    case child32(RootCounter.Action)
    case child33(RootCounter.Action)
    case child34(RootCounter.Action)
    case child35(RootCounter.Action)
    case child36(RootCounter.Action)
    case child37(RootCounter.Action)
    case child38(RootCounter.Action)
    case child39(RootCounter.Action)
    case child40(RootCounter.Action)
    case child41(RootCounter.Action)
    case child42(RootCounter.Action)
    case child43(RootCounter.Action)
    case child44(RootCounter.Action)
    case child45(RootCounter.Action)
    case child46(RootCounter.Action)
    case child47(RootCounter.Action)
    case child48(RootCounter.Action)
    case child49(RootCounter.Action)
    case child50(RootCounter.Action)
    case child51(RootCounter.Action)
    case child52(RootCounter.Action)
    case child53(RootCounter.Action)
    case child54(RootCounter.Action)
    case child55(RootCounter.Action)
    case child56(RootCounter.Action)
    case child57(RootCounter.Action)
    case child58(RootCounter.Action)
    case child59(RootCounter.Action)
    case child60(RootCounter.Action)
    case child61(RootCounter.Action)
    case child62(RootCounter.Action)
    case child63(RootCounter.Action)
    case child64(RootCounter.Action)
    case child65(RootCounter.Action)
    case child66(RootCounter.Action)
    case child67(RootCounter.Action)
    case child68(RootCounter.Action)
    case child69(RootCounter.Action)
    case child70(RootCounter.Action)
    case child71(RootCounter.Action)
    case child72(RootCounter.Action)
    case child73(RootCounter.Action)
    case child74(RootCounter.Action)
    case child75(RootCounter.Action)
    case child76(RootCounter.Action)
    case child77(RootCounter.Action)
    case child78(RootCounter.Action)
    case child79(RootCounter.Action)
    case child80(RootCounter.Action)
    case child81(RootCounter.Action)
    case child82(RootCounter.Action)
    case child83(RootCounter.Action)
    case child84(RootCounter.Action)
    case child85(RootCounter.Action)
    case child86(RootCounter.Action)
    case child87(RootCounter.Action)
    case child88(RootCounter.Action)
    case child89(RootCounter.Action)
    case child90(RootCounter.Action)
    case child91(RootCounter.Action)
    case child92(RootCounter.Action)
    case child93(RootCounter.Action)
    case child94(RootCounter.Action)
    case child95(RootCounter.Action)
    case child96(RootCounter.Action)
    case child97(RootCounter.Action)
    case child98(RootCounter.Action)
    case child99(RootCounter.Action)
    case child100(RootCounter.Action)
    case child101(RootCounter.Action)
    case child102(RootCounter.Action)
    case child103(RootCounter.Action)
    case child104(RootCounter.Action)
    case child105(RootCounter.Action)
    case child106(RootCounter.Action)
    case child107(RootCounter.Action)
    case child108(RootCounter.Action)
    case child109(RootCounter.Action)
    case child110(RootCounter.Action)
    case child111(RootCounter.Action)
    case child112(RootCounter.Action)
    case child113(RootCounter.Action)
    case child114(RootCounter.Action)
    case child115(RootCounter.Action)
    case child116(RootCounter.Action)
    case child117(RootCounter.Action)
    case child118(RootCounter.Action)
    case child119(RootCounter.Action)
    case child120(RootCounter.Action)
    case child121(RootCounter.Action)
    case child122(RootCounter.Action)
    case child123(RootCounter.Action)
    case child124(RootCounter.Action)
    case child125(RootCounter.Action)
    case child126(RootCounter.Action)
    case child127(RootCounter.Action)
    case child128(RootCounter.Action)
    case child129(RootCounter.Action)
    case child130(RootCounter.Action)
    case child131(RootCounter.Action)
    case child132(RootCounter.Action)
    case child133(RootCounter.Action)
    case child134(RootCounter.Action)
    case child135(RootCounter.Action)
    case child136(RootCounter.Action)
    case child137(RootCounter.Action)
    case child138(RootCounter.Action)
    case child139(RootCounter.Action)
    case child140(RootCounter.Action)
    case child141(RootCounter.Action)
    case child142(RootCounter.Action)
    case child143(RootCounter.Action)
    case child144(RootCounter.Action)
    case child145(RootCounter.Action)
    case child146(RootCounter.Action)
    case child147(RootCounter.Action)
    case child148(RootCounter.Action)
    case child149(RootCounter.Action)
    case child150(RootCounter.Action)
    case child151(RootCounter.Action)
    case child152(RootCounter.Action)
    case child153(RootCounter.Action)
    case child154(RootCounter.Action)
    case child155(RootCounter.Action)
    case child156(RootCounter.Action)
    case child157(RootCounter.Action)
    case child158(RootCounter.Action)
    case child159(RootCounter.Action)
    case child160(RootCounter.Action)
    case child161(RootCounter.Action)
    case child162(RootCounter.Action)
    case child163(RootCounter.Action)
    case child164(RootCounter.Action)
    case child165(RootCounter.Action)
    case child166(RootCounter.Action)
    case child167(RootCounter.Action)
    case child168(RootCounter.Action)
    case child169(RootCounter.Action)
    case child170(RootCounter.Action)
    case child171(RootCounter.Action)
    case child172(RootCounter.Action)
    case child173(RootCounter.Action)
    case child174(RootCounter.Action)
    case child175(RootCounter.Action)
    case child176(RootCounter.Action)
    case child177(RootCounter.Action)
    case child178(RootCounter.Action)
    case child179(RootCounter.Action)
    case child180(RootCounter.Action)
    case child181(RootCounter.Action)
    case child182(RootCounter.Action)
    case child183(RootCounter.Action)
    case child184(RootCounter.Action)
    case child185(RootCounter.Action)
    case child186(RootCounter.Action)
    case child187(RootCounter.Action)
    case child188(RootCounter.Action)
    case child189(RootCounter.Action)
    case child190(RootCounter.Action)
    case child191(RootCounter.Action)
    case child192(RootCounter.Action)
    case child193(RootCounter.Action)
    case child194(RootCounter.Action)
    case child195(RootCounter.Action)
    case child196(RootCounter.Action)
    case child197(RootCounter.Action)
    case child198(RootCounter.Action)
    case child199(RootCounter.Action)
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.child0, action: /Action.child0) { RootCounter() }
    Scope(state: \.child1, action: /Action.child1) { RootCounter() }
    Scope(state: \.child2, action: /Action.child2) { RootCounter() }
    Scope(state: \.child3, action: /Action.child3) { RootCounter() }
    Scope(state: \.child4, action: /Action.child4) { RootCounter() }
    Scope(state: \.child5, action: /Action.child5) { RootCounter() }
    Scope(state: \.child6, action: /Action.child6) { RootCounter() }
    Scope(state: \.child7, action: /Action.child7) { RootCounter() }
    Scope(state: \.child8, action: /Action.child8) { RootCounter() }
    Scope(state: \.child9, action: /Action.child9) { RootCounter() }
    Scope(state: \.child10, action: /Action.child10) { RootCounter() }
    Scope(state: \.child11, action: /Action.child11) { RootCounter() }
    Scope(state: \.child12, action: /Action.child12) { RootCounter() }
    Scope(state: \.child13, action: /Action.child13) { RootCounter() }
    Scope(state: \.child14, action: /Action.child14) { RootCounter() }
    Scope(state: \.child15, action: /Action.child15) { RootCounter() }
    Scope(state: \.child16, action: /Action.child16) { RootCounter() }
    Scope(state: \.child17, action: /Action.child17) { RootCounter() }
    Scope(state: \.child18, action: /Action.child18) { RootCounter() }
    Scope(state: \.child19, action: /Action.child19) { RootCounter() }
    Scope(state: \.child20, action: /Action.child20) { RootCounter() }
    Scope(state: \.child21, action: /Action.child21) { RootCounter() }
    Scope(state: \.child22, action: /Action.child22) { RootCounter() }
    Scope(state: \.child23, action: /Action.child23) { RootCounter() }
    Scope(state: \.child24, action: /Action.child24) { RootCounter() }
    Scope(state: \.child25, action: /Action.child25) { RootCounter() }
    Scope(state: \.child26, action: /Action.child26) { RootCounter() }
    Scope(state: \.child27, action: /Action.child27) { RootCounter() }
    Scope(state: \.child28, action: /Action.child28) { RootCounter() }
    Scope(state: \.child29, action: /Action.child29) { RootCounter() }
    Scope(state: \.child30, action: /Action.child30) { RootCounter() }
    Scope(state: \.child31, action: /Action.child31) { RootCounter() }
    Scope(state: \.child32, action: /Action.child32) { RootCounter() }
    Scope(state: \.child33, action: /Action.child33) { RootCounter() }
    Scope(state: \.child34, action: /Action.child34) { RootCounter() }
    Scope(state: \.child35, action: /Action.child35) { RootCounter() }
    Scope(state: \.child36, action: /Action.child36) { RootCounter() }
    Scope(state: \.child37, action: /Action.child37) { RootCounter() }
    Scope(state: \.child38, action: /Action.child38) { RootCounter() }
    Scope(state: \.child39, action: /Action.child39) { RootCounter() }
    Scope(state: \.child40, action: /Action.child40) { RootCounter() }
    Scope(state: \.child41, action: /Action.child41) { RootCounter() }
    Scope(state: \.child42, action: /Action.child42) { RootCounter() }
    Scope(state: \.child43, action: /Action.child43) { RootCounter() }
    Scope(state: \.child44, action: /Action.child44) { RootCounter() }
    Scope(state: \.child45, action: /Action.child45) { RootCounter() }
    Scope(state: \.child46, action: /Action.child46) { RootCounter() }
    Scope(state: \.child47, action: /Action.child47) { RootCounter() }
    Scope(state: \.child48, action: /Action.child48) { RootCounter() }
    Scope(state: \.child49, action: /Action.child49) { RootCounter() }
    Scope(state: \.child50, action: /Action.child50) { RootCounter() }
    Scope(state: \.child51, action: /Action.child51) { RootCounter() }
    Scope(state: \.child52, action: /Action.child52) { RootCounter() }
    Scope(state: \.child53, action: /Action.child53) { RootCounter() }
    Scope(state: \.child54, action: /Action.child54) { RootCounter() }
    Scope(state: \.child55, action: /Action.child55) { RootCounter() }
    Scope(state: \.child56, action: /Action.child56) { RootCounter() }
    Scope(state: \.child57, action: /Action.child57) { RootCounter() }
    Scope(state: \.child58, action: /Action.child58) { RootCounter() }
    Scope(state: \.child59, action: /Action.child59) { RootCounter() }
    Scope(state: \.child60, action: /Action.child60) { RootCounter() }
    Scope(state: \.child61, action: /Action.child61) { RootCounter() }
    Scope(state: \.child62, action: /Action.child62) { RootCounter() }
    Scope(state: \.child63, action: /Action.child63) { RootCounter() }
    Scope(state: \.child64, action: /Action.child64) { RootCounter() }
    Scope(state: \.child65, action: /Action.child65) { RootCounter() }
    Scope(state: \.child66, action: /Action.child66) { RootCounter() }
    Scope(state: \.child67, action: /Action.child67) { RootCounter() }
    Scope(state: \.child68, action: /Action.child68) { RootCounter() }
    Scope(state: \.child69, action: /Action.child69) { RootCounter() }
    Scope(state: \.child70, action: /Action.child70) { RootCounter() }
    Scope(state: \.child71, action: /Action.child71) { RootCounter() }
    Scope(state: \.child72, action: /Action.child72) { RootCounter() }
    Scope(state: \.child73, action: /Action.child73) { RootCounter() }
    Scope(state: \.child74, action: /Action.child74) { RootCounter() }
    Scope(state: \.child75, action: /Action.child75) { RootCounter() }
    Scope(state: \.child76, action: /Action.child76) { RootCounter() }
    Scope(state: \.child77, action: /Action.child77) { RootCounter() }
    Scope(state: \.child78, action: /Action.child78) { RootCounter() }
    Scope(state: \.child79, action: /Action.child79) { RootCounter() }
    Scope(state: \.child80, action: /Action.child80) { RootCounter() }
    Scope(state: \.child81, action: /Action.child81) { RootCounter() }
    Scope(state: \.child82, action: /Action.child82) { RootCounter() }
    Scope(state: \.child83, action: /Action.child83) { RootCounter() }
    Scope(state: \.child84, action: /Action.child84) { RootCounter() }
    Scope(state: \.child85, action: /Action.child85) { RootCounter() }
    Scope(state: \.child86, action: /Action.child86) { RootCounter() }
    Scope(state: \.child87, action: /Action.child87) { RootCounter() }
    Scope(state: \.child88, action: /Action.child88) { RootCounter() }
    Scope(state: \.child89, action: /Action.child89) { RootCounter() }
    Scope(state: \.child90, action: /Action.child90) { RootCounter() }
    Scope(state: \.child91, action: /Action.child91) { RootCounter() }
    Scope(state: \.child92, action: /Action.child92) { RootCounter() }
    Scope(state: \.child93, action: /Action.child93) { RootCounter() }
    Scope(state: \.child94, action: /Action.child94) { RootCounter() }
    Scope(state: \.child95, action: /Action.child95) { RootCounter() }
    Scope(state: \.child96, action: /Action.child96) { RootCounter() }
    Scope(state: \.child97, action: /Action.child97) { RootCounter() }
    Scope(state: \.child98, action: /Action.child98) { RootCounter() }
    Scope(state: \.child99, action: /Action.child99) { RootCounter() }
    Scope(state: \.child100, action: /Action.child100) { RootCounter() }
    Scope(state: \.child101, action: /Action.child101) { RootCounter() }
    Scope(state: \.child102, action: /Action.child102) { RootCounter() }
    Scope(state: \.child103, action: /Action.child103) { RootCounter() }
    Scope(state: \.child104, action: /Action.child104) { RootCounter() }
    Scope(state: \.child105, action: /Action.child105) { RootCounter() }
    Scope(state: \.child106, action: /Action.child106) { RootCounter() }
    Scope(state: \.child107, action: /Action.child107) { RootCounter() }
    Scope(state: \.child108, action: /Action.child108) { RootCounter() }
    Scope(state: \.child109, action: /Action.child109) { RootCounter() }
    Scope(state: \.child110, action: /Action.child110) { RootCounter() }
    Scope(state: \.child111, action: /Action.child111) { RootCounter() }
    Scope(state: \.child112, action: /Action.child112) { RootCounter() }
    Scope(state: \.child113, action: /Action.child113) { RootCounter() }
    Scope(state: \.child114, action: /Action.child114) { RootCounter() }
    Scope(state: \.child115, action: /Action.child115) { RootCounter() }
    Scope(state: \.child116, action: /Action.child116) { RootCounter() }
    Scope(state: \.child117, action: /Action.child117) { RootCounter() }
    Scope(state: \.child118, action: /Action.child118) { RootCounter() }
    Scope(state: \.child119, action: /Action.child119) { RootCounter() }
    Scope(state: \.child120, action: /Action.child120) { RootCounter() }
    Scope(state: \.child121, action: /Action.child121) { RootCounter() }
    Scope(state: \.child122, action: /Action.child122) { RootCounter() }
    Scope(state: \.child123, action: /Action.child123) { RootCounter() }
    Scope(state: \.child124, action: /Action.child124) { RootCounter() }
    Scope(state: \.child125, action: /Action.child125) { RootCounter() }
    Scope(state: \.child126, action: /Action.child126) { RootCounter() }
    Scope(state: \.child127, action: /Action.child127) { RootCounter() }
    Scope(state: \.child128, action: /Action.child128) { RootCounter() }
    Scope(state: \.child129, action: /Action.child129) { RootCounter() }
    Scope(state: \.child130, action: /Action.child130) { RootCounter() }
    Scope(state: \.child131, action: /Action.child131) { RootCounter() }
    Scope(state: \.child132, action: /Action.child132) { RootCounter() }
    Scope(state: \.child133, action: /Action.child133) { RootCounter() }
    Scope(state: \.child134, action: /Action.child134) { RootCounter() }
    Scope(state: \.child135, action: /Action.child135) { RootCounter() }
    Scope(state: \.child136, action: /Action.child136) { RootCounter() }
    Scope(state: \.child137, action: /Action.child137) { RootCounter() }
    Scope(state: \.child138, action: /Action.child138) { RootCounter() }
    Scope(state: \.child139, action: /Action.child139) { RootCounter() }
    Scope(state: \.child140, action: /Action.child140) { RootCounter() }
    Scope(state: \.child141, action: /Action.child141) { RootCounter() }
    Scope(state: \.child142, action: /Action.child142) { RootCounter() }
    Scope(state: \.child143, action: /Action.child143) { RootCounter() }
    Scope(state: \.child144, action: /Action.child144) { RootCounter() }
    Scope(state: \.child145, action: /Action.child145) { RootCounter() }
    Scope(state: \.child146, action: /Action.child146) { RootCounter() }
    Scope(state: \.child147, action: /Action.child147) { RootCounter() }
    Scope(state: \.child148, action: /Action.child148) { RootCounter() }
    Scope(state: \.child149, action: /Action.child149) { RootCounter() }
    Scope(state: \.child150, action: /Action.child150) { RootCounter() }
    Scope(state: \.child151, action: /Action.child151) { RootCounter() }
    Scope(state: \.child152, action: /Action.child152) { RootCounter() }
    Scope(state: \.child153, action: /Action.child153) { RootCounter() }
    Scope(state: \.child154, action: /Action.child154) { RootCounter() }
    Scope(state: \.child155, action: /Action.child155) { RootCounter() }
    Scope(state: \.child156, action: /Action.child156) { RootCounter() }
    Scope(state: \.child157, action: /Action.child157) { RootCounter() }
    Scope(state: \.child158, action: /Action.child158) { RootCounter() }
    Scope(state: \.child159, action: /Action.child159) { RootCounter() }
    Scope(state: \.child160, action: /Action.child160) { RootCounter() }
    Scope(state: \.child161, action: /Action.child161) { RootCounter() }
    Scope(state: \.child162, action: /Action.child162) { RootCounter() }
    Scope(state: \.child163, action: /Action.child163) { RootCounter() }
    Scope(state: \.child164, action: /Action.child164) { RootCounter() }
    Scope(state: \.child165, action: /Action.child165) { RootCounter() }
    Scope(state: \.child166, action: /Action.child166) { RootCounter() }
    Scope(state: \.child167, action: /Action.child167) { RootCounter() }
    Scope(state: \.child168, action: /Action.child168) { RootCounter() }
    Scope(state: \.child169, action: /Action.child169) { RootCounter() }
    Scope(state: \.child170, action: /Action.child170) { RootCounter() }
    Scope(state: \.child171, action: /Action.child171) { RootCounter() }
    Scope(state: \.child172, action: /Action.child172) { RootCounter() }
    Scope(state: \.child173, action: /Action.child173) { RootCounter() }
    Scope(state: \.child174, action: /Action.child174) { RootCounter() }
    Scope(state: \.child175, action: /Action.child175) { RootCounter() }
    Scope(state: \.child176, action: /Action.child176) { RootCounter() }
    Scope(state: \.child177, action: /Action.child177) { RootCounter() }
    Scope(state: \.child178, action: /Action.child178) { RootCounter() }
    Scope(state: \.child179, action: /Action.child179) { RootCounter() }
    Scope(state: \.child180, action: /Action.child180) { RootCounter() }
    Scope(state: \.child181, action: /Action.child181) { RootCounter() }
    Scope(state: \.child182, action: /Action.child182) { RootCounter() }
    Scope(state: \.child183, action: /Action.child183) { RootCounter() }
    Scope(state: \.child184, action: /Action.child184) { RootCounter() }
    Scope(state: \.child185, action: /Action.child185) { RootCounter() }
    Scope(state: \.child186, action: /Action.child186) { RootCounter() }
    Scope(state: \.child187, action: /Action.child187) { RootCounter() }
    Scope(state: \.child188, action: /Action.child188) { RootCounter() }
    Scope(state: \.child189, action: /Action.child189) { RootCounter() }
    Scope(state: \.child190, action: /Action.child190) { RootCounter() }
    Scope(state: \.child191, action: /Action.child191) { RootCounter() }
    Scope(state: \.child192, action: /Action.child192) { RootCounter() }
    Scope(state: \.child193, action: /Action.child193) { RootCounter() }
    Scope(state: \.child194, action: /Action.child194) { RootCounter() }
    Scope(state: \.child195, action: /Action.child195) { RootCounter() }
    Scope(state: \.child196, action: /Action.child196) { RootCounter() }
    Scope(state: \.child197, action: /Action.child197) { RootCounter() }
    Scope(state: \.child198, action: /Action.child198) { RootCounter() }
    Scope(state: \.child199, action: /Action.child199) { RootCounter() }
  }
}
