; Made by make_library.py from the C files beside it, 52e283a39534dc71
%struct.gradir.shadows = type { ptr, i64, i64, i64, i64, i8 }
%struct.gradir.shadow = type { ptr, i64, i64, ptr, ptr, i64 }
%struct.d_vectors = type { ptr, i64, i64 }
%struct.d_columns = type { ptr, i32 }
%struct.dimension = type { i64, i64, i64 }
%struct.descriptor = type { ptr, i64, i32, i8, i8, i8, i8, [15 x %struct.dimension] }
%struct.s_vectors = type { ptr, i64, i64 }
%struct.s_columns = type { ptr, i32 }
%struct.s_matrix = type { ptr, i64, i64, i32, float }
%struct.d_matrix = type { ptr, i64, i64, i32, double }
@gradir.shadows = internal global %struct.gradir.shadows zeroinitializer, align 8
@gradir.body._ZNSt3__119__thread_local_dataEv.key = internal global i32 -1, align 4
@gradir.library.str = private constant [2 x i8] c"N\00", align 1
@gradir.library.str.1 = private constant [48 x i8] c"an array is allocated that is allocated already\00", align 1
@gradir.library.digamma.corrections = internal constant [8 x double] [double 0xBFB5555555555555, double 0x3F81111111111111, double 0xBF70410410410410, double 0x3F71111111111111, double 0xBF7F07C1F07C1F08, double 0x3F95995995995996, double 0xBFB5555555555555, double 0x3FDC5E5E5E5E5E5E], align 16
@gradir.library.hurwitz_zeta.corrections = internal constant [9 x double] [double 0x3FB5555555555555, double 0xBF56C16C16C16C17, double 0x3F01566ABC011567, double 0xBEABBD779334EF0B, double 0x3E566A8F2BF70EBE, double 0xBE022805D644267F, double 0x3DAD6DB2C4E09162, double 0xBD57DA4E1F79955C, double 0x3D0355871D652E9E], align 16
@gradir.library.str.2 = private constant [41 x i8] c"nothing is allocated that is deallocated\00", align 1
define internal double @gradir.polygamma(i32 %0, double %1) {
2:
  %3 = alloca [20 x double], align 16
  %4 = alloca [20 x double], align 16
  %5 = fcmp ole double %1, 0.000000e+00
  %6 = call double @llvm.floor.f64(double %1)
  %7 = fcmp oeq double %1, %6
  %8 = and i1 %5, %7
  br i1 %8, label %174, label %9

9:
  %10 = fcmp olt double %1, 5.000000e-01
  br i1 %10, label %11, label %83

11:
  %12 = fsub double 1.000000e+00, %1
  %13 = call double @gradir.polygamma(i32 %0, double %12)
  %14 = and i32 %0, 1
  %15 = icmp eq i32 %14, 0
  %16 = fneg double %13
  %17 = select i1 %15, double %13, double %16
  %18 = fsub double %1, %6
  %19 = fmul double %18, 0x400921FB54442D18
  %20 = call double @llvm.tan.f64(double %19)
  %21 = fdiv double 1.000000e+00, %20
  call void @llvm.memset.p0.i64(ptr %3, i8 0, i64 160, i1 false)
  %22 = getelementptr inbounds i8, ptr %3, i64 8
  store double 1.000000e+00, ptr %22, align 8
  %23 = icmp sgt i32 %0, 17
  br i1 %23, label %80, label %24

24:
  %25 = icmp sgt i32 %0, 0
  br i1 %25, label %26, label %29

26:
  %27 = add nsw i32 %0, 2
  %28 = zext i32 %27 to i64
  br label %34

29:
  %30 = icmp sgt i32 %0, -2
  br i1 %30, label %31, label %80

31:
  %32 = add nsw i32 %0, 1
  %33 = zext i32 %32 to i64
  br label %64

34:
  %35 = phi i64 [ 2, %26 ], [ %53, %52 ]
  call void @llvm.memset.p0.i64(ptr %4, i8 0, i64 160, i1 false)
  br label %36

36:
  %37 = phi i64 [ 1, %34 ], [ %47, %36 ]
  %38 = trunc nsw i64 %37 to i32
  %39 = uitofp i32 %38 to double
  %40 = getelementptr inbounds double, ptr %3, i64 %37
  %41 = load double, ptr %40, align 8
  %42 = fmul double %41, %39
  %43 = getelementptr double, ptr %4, i64 %37
  %44 = getelementptr i8, ptr %43, i64 -8
  %45 = load double, ptr %44, align 8
  %46 = fsub double %45, %42
  store double %46, ptr %44, align 8
  %47 = add nsw i64 %37, 1
  %48 = getelementptr inbounds double, ptr %4, i64 %47
  %49 = load double, ptr %48, align 8
  %50 = fsub double %49, %42
  store double %50, ptr %48, align 8
  %51 = icmp eq i64 %47, %35
  br i1 %51, label %55, label %36

52:
  %53 = add nsw i64 %35, 1
  %54 = icmp eq i64 %53, %28
  br i1 %54, label %29, label %34

55:
  %56 = phi i64 [ %60, %55 ], [ 0, %36 ]
  %57 = getelementptr inbounds double, ptr %4, i64 %56
  %58 = load double, ptr %57, align 8
  %59 = getelementptr inbounds double, ptr %3, i64 %56
  store double %58, ptr %59, align 8
  %60 = add nsw i64 %56, 1
  %61 = icmp eq i64 %60, 20
  br i1 %61, label %52, label %55

62:
  %63 = icmp slt i32 %0, 0
  br i1 %63, label %80, label %74

64:
  %65 = phi i64 [ %33, %31 ], [ %71, %64 ]
  %66 = phi double [ 0.000000e+00, %31 ], [ %70, %64 ]
  %67 = fmul double %21, %66
  %68 = getelementptr inbounds double, ptr %3, i64 %65
  %69 = load double, ptr %68, align 8
  %70 = fadd double %67, %69
  %71 = add nsw i64 %65, -1
  %72 = trunc i64 %65 to i32
  %73 = icmp sgt i32 %72, 0
  br i1 %73, label %64, label %62

74:
  %75 = phi i32 [ %78, %74 ], [ 0, %62 ]
  %76 = phi double [ %77, %74 ], [ %70, %62 ]
  %77 = fmul double %76, 0x400921FB54442D18
  %78 = add i32 %75, 1
  %79 = icmp eq i32 %75, %0
  br i1 %79, label %80, label %74

80:
  %81 = phi double [ 0x7FF8000000000000, %11 ], [ %70, %62 ], [ 0.000000e+00, %29 ], [ %77, %74 ]
  %82 = fsub double %17, %81
  br label %174

83:
  %84 = icmp eq i32 %0, 0
  br i1 %84, label %85, label %114

85:
  %86 = fcmp olt double %1, 1.200000e+01
  br i1 %86, label %87, label %94

87:
  %88 = phi double [ %92, %87 ], [ %1, %85 ]
  %89 = phi double [ %91, %87 ], [ 0.000000e+00, %85 ]
  %90 = fdiv double 1.000000e+00, %88
  %91 = fsub double %89, %90
  %92 = fadd double %88, 1.000000e+00
  %93 = fcmp olt double %92, 1.200000e+01
  br i1 %93, label %87, label %94

94:
  %95 = phi double [ 0.000000e+00, %85 ], [ %91, %87 ]
  %96 = phi double [ %1, %85 ], [ %92, %87 ]
  %97 = fmul double %96, %96
  %98 = fdiv double 1.000000e+00, %97
  br label %99

99:
  %100 = phi i64 [ 7, %94 ], [ %106, %99 ]
  %101 = phi double [ 0.000000e+00, %94 ], [ %105, %99 ]
  %102 = getelementptr inbounds double, ptr @gradir.library.digamma.corrections, i64 %100
  %103 = load double, ptr %102, align 8
  %104 = fadd double %101, %103
  %105 = fmul double %98, %104
  %106 = add nsw i64 %100, -1
  %107 = icmp eq i64 %100, 0
  br i1 %107, label %108, label %99

108:
  %109 = call double @llvm.log.f64(double %96)
  %110 = fadd double %95, %109
  %111 = fdiv double 5.000000e-01, %96
  %112 = fsub double %110, %111
  %113 = fadd double %112, %105
  br label %174

114:
  %115 = and i32 %0, 1
  %116 = icmp eq i32 %115, 0
  %117 = select i1 %116, i32 -1, i32 1
  %118 = sitofp i32 %117 to double
  %119 = icmp slt i32 %0, 2
  br i1 %119, label %120, label %167

120:
  %121 = phi double [ %118, %114 ], [ %171, %167 ]
  %122 = add i32 %0, 1
  %123 = sitofp i32 %122 to double
  %124 = fcmp olt double %1, 1.200000e+01
  %125 = fneg double %123
  br i1 %124, label %126, label %133

126:
  %127 = phi double [ %131, %126 ], [ %1, %120 ]
  %128 = phi double [ %130, %126 ], [ 0.000000e+00, %120 ]
  %129 = call double @llvm.pow.f64(double %127, double %125)
  %130 = fadd double %128, %129
  %131 = fadd double %127, 1.000000e+00
  %132 = fcmp olt double %131, 1.200000e+01
  br i1 %132, label %126, label %133

133:
  %134 = phi double [ 0.000000e+00, %120 ], [ %130, %126 ]
  %135 = phi double [ %1, %120 ], [ %131, %126 ]
  %136 = call double @llvm.pow.f64(double %135, double %125)
  %137 = fmul double %135, %136
  %138 = sitofp i32 %0 to double
  %139 = fdiv double %137, %138
  %140 = fmul double %136, 5.000000e-01
  %141 = fadd double %140, %139
  %142 = fadd double %134, %141
  %143 = fmul double %136, %123
  %144 = fdiv double %143, %135
  %145 = fmul double %135, %135
  br label %146

146:
  %147 = phi i64 [ 0, %133 ], [ %163, %146 ]
  %148 = phi double [ %144, %133 ], [ %162, %146 ]
  %149 = phi double [ %142, %133 ], [ %153, %146 ]
  %150 = getelementptr inbounds double, ptr @gradir.library.hurwitz_zeta.corrections, i64 %147
  %151 = load double, ptr %150, align 8
  %152 = fmul double %148, %151
  %153 = fadd double %149, %152
  %154 = trunc i64 %147 to i32
  %155 = shl i32 %154, 1
  %156 = uitofp i32 %155 to double
  %157 = fadd double %123, %156
  %158 = fadd double %157, 1.000000e+00
  %159 = fadd double %157, 2.000000e+00
  %160 = fmul double %158, %159
  %161 = fdiv double %160, %145
  %162 = fmul double %148, %161
  %163 = add nsw i64 %147, 1
  %164 = icmp eq i64 %163, 9
  br i1 %164, label %165, label %146

165:
  %166 = fmul double %121, %153
  br label %174

167:
  %168 = phi i32 [ %172, %167 ], [ 2, %114 ]
  %169 = phi double [ %171, %167 ], [ %118, %114 ]
  %170 = uitofp i32 %168 to double
  %171 = fmul double %169, %170
  %172 = add i32 %168, 1
  %173 = icmp eq i32 %168, %0
  br i1 %173, label %120, label %167

174:
  %175 = phi double [ %166, %165 ], [ %82, %80 ], [ %113, %108 ], [ 0x7FF8000000000000, %2 ]
  ret double %175
}
declare double @llvm.floor.f64(double)
define internal void @gradir.shadows.keep(ptr %0, i64 %1, i64 %2, ptr %3) {
4:
  %5 = icmp eq ptr %0, null
  br i1 %5, label %93, label %6

6:
  %7 = atomicrmw xchg ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 40), i8 1 acquire, align 8
  %8 = icmp eq i8 %7, 0
  br i1 %8, label %9, label %6

9:
  %10 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 16), align 8
  %11 = shl i64 %10, 1
  %12 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 8), align 8
  %13 = icmp ult i64 %11, %12
  br i1 %13, label %65, label %14

14:
  %15 = load ptr, ptr @gradir.shadows, align 8
  %16 = icmp eq i64 %12, 0
  br i1 %16, label %35, label %23

17:
  %18 = lshr i64 %12, 2
  %19 = icmp uge i64 %32, %18
  %20 = zext i1 %19 to i64
  %21 = shl i64 %12, %20
  store i64 %21, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 8), align 8
  store i64 %32, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 16), align 8
  %22 = call ptr @calloc(i64 %21, i64 48)
  store ptr %22, ptr @gradir.shadows, align 8
  br label %37

23:
  %24 = phi i64 [ %33, %23 ], [ 0, %14 ]
  %25 = phi i64 [ %32, %23 ], [ 0, %14 ]
  %26 = getelementptr inbounds %struct.gradir.shadow, ptr %15, i64 %24
  %27 = load ptr, ptr %26, align 8
  %28 = icmp ne ptr %27, null
  %29 = icmp ne ptr %27, inttoptr (i64 1 to ptr)
  %30 = and i1 %28, %29
  %31 = zext i1 %30 to i64
  %32 = add i64 %25, %31
  %33 = add i64 %24, 1
  %34 = icmp eq i64 %33, %12
  br i1 %34, label %17, label %23

35:
  store i64 64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 8), align 8
  store i64 0, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 16), align 8
  %36 = call ptr @calloc(i64 64, i64 48)
  store ptr %36, ptr @gradir.shadows, align 8
  br label %63

37:
  %38 = phi i64 [ %61, %60 ], [ 0, %17 ]
  %39 = getelementptr inbounds %struct.gradir.shadow, ptr %15, i64 %38
  %40 = load ptr, ptr %39, align 8
  %41 = icmp ult ptr %40, inttoptr (i64 2 to ptr)
  br i1 %41, label %60, label %42

42:
  %43 = ptrtoint ptr %40 to i64
  %44 = lshr i64 %43, 4
  %45 = mul i64 %44, -7046029254386353131
  %46 = lshr i64 %45, 16
  %47 = load ptr, ptr @gradir.shadows, align 8
  %48 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 8), align 8
  %49 = add i64 %48, -1
  br label %50

50:
  %51 = phi i64 [ %46, %42 ], [ %58, %50 ]
  %52 = and i64 %51, %49
  %53 = getelementptr inbounds %struct.gradir.shadow, ptr %47, i64 %52
  %54 = load ptr, ptr %53, align 8
  %55 = icmp ne ptr %54, null
  %56 = icmp ne ptr %54, %40
  %57 = and i1 %55, %56
  %58 = add i64 %51, 1
  br i1 %57, label %50, label %59

59:
  call void @llvm.memcpy.p0.p0.i64(ptr %53, ptr %39, i64 48, i1 false)
  br label %60

60:
  %61 = add i64 %38, 1
  %62 = icmp eq i64 %61, %12
  br i1 %62, label %63, label %37

63:
  call void @free(ptr %15)
  %64 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 8), align 8
  br label %65

65:
  %66 = phi i64 [ %64, %63 ], [ %12, %9 ]
  %67 = ptrtoint ptr %0 to i64
  %68 = lshr i64 %67, 4
  %69 = mul i64 %68, -7046029254386353131
  %70 = lshr i64 %69, 16
  %71 = load ptr, ptr @gradir.shadows, align 8
  %72 = add i64 %66, -1
  br label %73

73:
  %74 = phi i64 [ %70, %65 ], [ %81, %73 ]
  %75 = and i64 %74, %72
  %76 = getelementptr inbounds %struct.gradir.shadow, ptr %71, i64 %75
  %77 = load ptr, ptr %76, align 8
  %78 = icmp ne ptr %77, null
  %79 = icmp ne ptr %77, %0
  %80 = and i1 %78, %79
  %81 = add i64 %74, 1
  br i1 %80, label %73, label %82

82:
  %83 = icmp eq ptr %77, null
  %84 = zext i1 %83 to i64
  %85 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 16), align 8
  %86 = add i64 %85, %84
  store i64 %86, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 16), align 8
  %87 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 24), align 8
  %88 = add i64 %87, %84
  store i64 %88, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 24), align 8
  store ptr %0, ptr %76, align 8
  %89 = getelementptr inbounds i8, ptr %76, i64 8
  store i64 %1, ptr %89, align 8
  %90 = getelementptr inbounds i8, ptr %76, i64 16
  store i64 %2, ptr %90, align 8
  %91 = getelementptr inbounds i8, ptr %76, i64 24
  store ptr %3, ptr %91, align 8
  %92 = getelementptr inbounds i8, ptr %76, i64 32
  call void @llvm.memset.p0.i64(ptr %92, i8 0, i64 16, i1 false)
  store atomic i8 0, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 40) release, align 8
  br label %93

93:
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @gradir.shadows.drop(ptr %0) {
1:
  br label %2

2:
  %3 = atomicrmw xchg ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 40), i8 1 acquire, align 8
  %4 = icmp eq i8 %3, 0
  br i1 %4, label %5, label %2

5:
  %6 = icmp ne ptr %0, null
  %7 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 8), align 8
  %8 = icmp ne i64 %7, 0
  %9 = select i1 %6, i1 %8, i1 false
  br i1 %9, label %10, label %37

10:
  %11 = ptrtoint ptr %0 to i64
  %12 = lshr i64 %11, 4
  %13 = mul i64 %12, -7046029254386353131
  %14 = lshr i64 %13, 16
  %15 = load ptr, ptr @gradir.shadows, align 8
  %16 = add i64 %7, -1
  br label %17

17:
  %18 = phi i64 [ %14, %10 ], [ %25, %17 ]
  %19 = and i64 %18, %16
  %20 = getelementptr inbounds %struct.gradir.shadow, ptr %15, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = icmp ne ptr %21, null
  %23 = icmp ne ptr %21, %0
  %24 = and i1 %22, %23
  %25 = add i64 %18, 1
  br i1 %24, label %17, label %26

26:
  %27 = icmp eq ptr %21, null
  br i1 %27, label %31, label %28

28:
  store ptr inttoptr (i64 1 to ptr), ptr %20, align 8
  %29 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 24), align 8
  %30 = add i64 %29, -1
  store i64 %30, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 24), align 8
  br label %33

31:
  %32 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 24), align 8
  br label %33

33:
  %34 = phi i64 [ %32, %31 ], [ %30, %28 ]
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %36, label %37

36:
  call void @free(ptr %15)
  call void @llvm.memset.p0.i64(ptr @gradir.shadows, i8 0, i64 24, i1 false)
  br label %37

37:
  store atomic i8 0, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 40) release, align 8
  ret void
}
declare void @free(ptr)
define internal void @gradir.shadows.clear(ptr %0, i64 %1) {
2:
  br label %3

3:
  %4 = atomicrmw xchg ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 40), i8 1 acquire, align 8
  %5 = icmp eq i8 %4, 0
  br i1 %5, label %6, label %3

6:
  %7 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 32), align 8
  %8 = add i64 %7, 1
  store i64 %8, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 32), align 8
  %9 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 8), align 8
  %10 = icmp eq i64 %9, 0
  br i1 %10, label %30, label %11

11:
  %12 = call ptr @gradir.library.with_shadows_in(ptr %0, i64 %1, ptr null, i32 1)
  %13 = icmp eq ptr %12, null
  br i1 %13, label %30, label %14

14:
  %15 = phi ptr [ %24, %14 ], [ %12, %11 ]
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds i8, ptr %15, i64 8
  %18 = load i64, ptr %17, align 8
  %19 = getelementptr inbounds i8, ptr %15, i64 16
  %20 = load i64, ptr %19, align 8
  %21 = mul i64 %20, %18
  %22 = getelementptr inbounds i8, ptr %15, i64 32
  %23 = load ptr, ptr %22, align 8
  %24 = call ptr @gradir.library.with_shadows_in(ptr %16, i64 %21, ptr %23, i32 0)
  %25 = getelementptr inbounds i8, ptr %15, i64 24
  %26 = load ptr, ptr %25, align 8
  %27 = load ptr, ptr %15, align 8
  %28 = load i64, ptr %17, align 8
  call void %26(ptr null, ptr %27, i64 %28)
  %29 = icmp eq ptr %24, null
  br i1 %29, label %30, label %14

30:
  store atomic i8 0, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 40) release, align 8
  ret void
}
define internal ptr @gradir.library.with_shadows_in(ptr %0, i64 %1, ptr %2, i32 %3) {
4:
  %5 = icmp ult i64 %1, 8
  br i1 %5, label %14, label %6

6:
  %7 = load ptr, ptr @gradir.shadows, align 8
  %8 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 8), align 8
  %9 = add i64 %8, -1
  %10 = icmp eq i32 %3, 0
  %11 = icmp eq i64 %8, 0
  %12 = or i1 %10, %11
  %13 = load i64, ptr getelementptr inbounds (i8, ptr @gradir.shadows, i64 32), align 8
  br label %16

14:
  %15 = phi ptr [ %2, %4 ], [ %68, %67 ]
  ret ptr %15

16:
  %17 = phi i64 [ 8, %6 ], [ %69, %67 ]
  %18 = phi ptr [ %2, %6 ], [ %68, %67 ]
  %19 = phi i64 [ 0, %6 ], [ %17, %67 ]
  %20 = getelementptr inbounds i8, ptr %0, i64 %19
  %21 = load ptr, ptr %20, align 1
  %22 = icmp eq ptr %21, null
  %23 = icmp ugt ptr %21, inttoptr (i64 140737488355327 to ptr)
  %24 = or i1 %22, %23
  br i1 %24, label %67, label %25

25:
  %26 = ptrtoint ptr %21 to i64
  %27 = lshr i64 %26, 4
  %28 = mul i64 %27, -7046029254386353131
  %29 = lshr i64 %28, 16
  br label %30

30:
  %31 = phi i64 [ %29, %25 ], [ %38, %30 ]
  %32 = and i64 %31, %9
  %33 = getelementptr inbounds %struct.gradir.shadow, ptr %7, i64 %32
  %34 = load ptr, ptr %33, align 8
  %35 = icmp ne ptr %34, null
  %36 = icmp ne ptr %34, %21
  %37 = and i1 %35, %36
  %38 = add i64 %31, 1
  br i1 %37, label %30, label %39

39:
  %40 = icmp eq ptr %34, null
  br i1 %40, label %41, label %60

41:
  br i1 %12, label %67, label %42

42:
  %43 = phi i64 [ %58, %57 ], [ 0, %41 ]
  %44 = getelementptr inbounds %struct.gradir.shadow, ptr %7, i64 %43
  %45 = load ptr, ptr %44, align 8
  %46 = icmp ne ptr %45, inttoptr (i64 1 to ptr)
  %47 = icmp ult ptr %45, %21
  %48 = and i1 %46, %47
  br i1 %48, label %49, label %57

49:
  %50 = getelementptr inbounds i8, ptr %44, i64 8
  %51 = load i64, ptr %50, align 8
  %52 = getelementptr inbounds i8, ptr %44, i64 16
  %53 = load i64, ptr %52, align 8
  %54 = mul i64 %53, %51
  %55 = getelementptr inbounds i8, ptr %45, i64 %54
  %56 = icmp ult ptr %21, %55
  br i1 %56, label %60, label %57

57:
  %58 = add i64 %43, 1
  %59 = icmp eq i64 %58, %8
  br i1 %59, label %67, label %42

60:
  %61 = phi ptr [ %33, %39 ], [ %44, %49 ]
  %62 = getelementptr inbounds i8, ptr %61, i64 40
  %63 = load i64, ptr %62, align 8
  %64 = icmp eq i64 %63, %13
  br i1 %64, label %67, label %65

65:
  store i64 %13, ptr %62, align 8
  %66 = getelementptr inbounds i8, ptr %61, i64 32
  store ptr %18, ptr %66, align 8
  br label %67

67:
  %68 = phi ptr [ %61, %65 ], [ %18, %60 ], [ %18, %16 ], [ %18, %41 ], [ %18, %57 ]
  %69 = add i64 %17, 8
  %70 = icmp ugt i64 %69, %1
  br i1 %70, label %14, label %16
}
define internal i32 @gradir.body.posix_memalign(ptr %0, i64 %1, i64 %2) {
3:
  %4 = call ptr @aligned_alloc(i64 %1, i64 %2)
  call void @llvm.assume(i1 true)
  %5 = icmp eq ptr %4, null
  br i1 %5, label %7, label %6

6:
  store ptr %4, ptr %0, align 8
  br label %7

7:
  %8 = phi i32 [ 0, %6 ], [ 12, %3 ]
  ret i32 %8
}
declare ptr @aligned_alloc(i64, i64)
declare void @llvm.assume(i1)
define internal ptr @gradir.what(ptr %0) {
1:
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %2, i64 16
  %4 = load ptr, ptr %3, align 8
  %5 = call ptr %4(ptr %0)
  ret ptr %5
}
define internal ptr @gradir.body.NRT_MemInfo_data(ptr %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 24
  %3 = load ptr, ptr %2, align 8
  ret ptr %3
}
define internal double @gradir.body.numba_frexp(double %0, ptr %1) {
2:
  %3 = call { double, i32 } @llvm.frexp.f64.i32(double %0)
  %4 = extractvalue { double, i32 } %3, 1
  store i32 %4, ptr %1, align 4
  %5 = extractvalue { double, i32 } %3, 0
  ret double %5
}
declare { double, i32 } @llvm.frexp.f64.i32(double)
define internal i64 @gradir.spawn(ptr %0, ptr %1) {
2:
  %3 = call ptr %0(ptr %1)
  %4 = ptrtoint ptr %3 to i64
  ret i64 %4
}
define internal ptr @gradir.joined(i64 %0) {
1:
  %2 = inttoptr i64 %0 to ptr
  ret ptr %2
}
define internal i32 @gradir.body.pthread_create(ptr %0, ptr %1, ptr %2, ptr %3) {
4:
  %5 = call i64 @gradir.spawn(ptr %2, ptr %3)
  store i64 %5, ptr %0, align 8
  ret i32 0
}
define internal i32 @gradir.body.pthread_join(i64 %0, ptr %1) {
2:
  %3 = call ptr @gradir.joined(i64 %0)
  %4 = icmp eq ptr %1, null
  br i1 %4, label %6, label %5

5:
  store ptr %3, ptr %1, align 8
  br label %6

6:
  ret i32 0
}
define internal i32 @gradir.body.pthread_detach(i64 %0) {
1:
  ret i32 0
}
define internal void @gradir.body._ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(ptr %0, ptr %1, ptr %2) {
3:
  %4 = load ptr, ptr %1, align 8
  store ptr null, ptr %1, align 8
  %5 = call i64 @gradir.spawn(ptr @gradir.library.run_state, ptr %4)
  store i64 %5, ptr %0, align 8
  ret void
}
define internal ptr @gradir.library.run_state(ptr %0) {
1:
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %2, i64 16
  %4 = load ptr, ptr %3, align 8
  call void %4(ptr %0)
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds i8, ptr %5, i64 8
  %7 = load ptr, ptr %6, align 8
  call void %7(ptr %0)
  ret ptr inttoptr (i64 1 to ptr)
}
define internal void @gradir.body._ZNSt6thread6_StateD2Ev(ptr %0) {
1:
  ret void
}
define internal void @gradir.body._ZNSt6thread4joinEv(ptr %0) {
1:
  %2 = load i64, ptr %0, align 8
  %3 = call ptr @gradir.joined(i64 %2)
  store i64 0, ptr %0, align 8
  ret void
}
define internal void @gradir.body._ZNSt6thread6detachEv(ptr %0) {
1:
  store i64 0, ptr %0, align 8
  ret void
}
define internal void @gradir.body._ZNSt3__16thread4joinEv(ptr %0) {
1:
  %2 = load i64, ptr %0, align 8
  %3 = call ptr @gradir.joined(i64 %2)
  store i64 0, ptr %0, align 8
  ret void
}
define internal void @gradir.body._ZNSt3__16thread6detachEv(ptr %0) {
1:
  store i64 0, ptr %0, align 8
  ret void
}
define internal void @gradir.body._ZNSt3__16threadD1Ev(ptr %0) {
1:
  %2 = load i64, ptr %0, align 8
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %5, label %4

4:
  call void @llvm.trap()
  unreachable

5:
  ret void
}
declare void @llvm.trap()
define internal void @gradir.body._ZNSt3__115__thread_structC1Ev(ptr %0) {
1:
  store ptr null, ptr %0, align 8
  ret void
}
define internal void @gradir.body._ZNSt3__115__thread_structD1Ev(ptr %0) {
1:
  ret void
}
define internal ptr @gradir.body._ZNSt3__119__thread_local_dataEv() {
0:
  ret ptr @gradir.body._ZNSt3__119__thread_local_dataEv.key
}
define internal void @gradir.body._ZNSt3__15mutex4lockEv(ptr %0) {
1:
  %2 = call i32 @pthread_mutex_lock(ptr %0)
  ret void
}
declare i32 @pthread_mutex_lock(ptr)
define internal i1 @gradir.body._ZNSt3__15mutex8try_lockEv(ptr %0) {
1:
  %2 = call i32 @pthread_mutex_trylock(ptr %0)
  %3 = icmp eq i32 %2, 0
  ret i1 %3
}
declare i32 @pthread_mutex_trylock(ptr)
define internal void @gradir.body._ZNSt3__15mutex6unlockEv(ptr %0) {
1:
  %2 = call i32 @pthread_mutex_unlock(ptr %0)
  ret void
}
declare i32 @pthread_mutex_unlock(ptr)
define internal void @gradir.body._ZNSt3__15mutexD1Ev(ptr %0) {
1:
  ret void
}
define internal void @gradir.body.qsort(ptr %0, i64 %1, i64 %2, ptr %3) {
4:
  %5 = icmp slt i64 %1, 2
  %6 = icmp slt i64 %2, 1
  %7 = or i1 %5, %6
  br i1 %7, label %91, label %8

8:
  %9 = shl i64 %1, 4
  %10 = call ptr @malloc(i64 %9)
  br label %13

11:
  %12 = getelementptr inbounds i64, ptr %10, i64 %1
  br label %18

13:
  %14 = phi i64 [ 0, %8 ], [ %16, %13 ]
  %15 = getelementptr inbounds i64, ptr %10, i64 %14
  store i64 %14, ptr %15, align 8
  %16 = add nsw i64 %14, 1
  %17 = icmp eq i64 %16, %1
  br i1 %17, label %11, label %13

18:
  %19 = phi i64 [ 1, %11 ], [ %71, %70 ]
  %20 = shl i64 %19, 1
  br label %24

21:
  %22 = mul nsw i64 %2, %1
  %23 = call ptr @malloc(i64 %22)
  br label %81

24:
  %25 = phi i64 [ %19, %18 ], [ %38, %35 ]
  %26 = phi i64 [ 0, %18 ], [ %36, %35 ]
  %27 = call i64 @llvm.smin.i64(i64 %1, i64 %25)
  %28 = add nsw i64 %19, %27
  %29 = call i64 @llvm.smin.i64(i64 %1, i64 %28)
  %30 = add nsw i64 %26, %19
  %31 = call i64 @llvm.smin.i64(i64 %30, i64 %1)
  %32 = add nsw i64 %31, %19
  %33 = call i64 @llvm.smin.i64(i64 %32, i64 %1)
  %34 = icmp slt i64 %26, %33
  br i1 %34, label %39, label %35

35:
  %36 = add nsw i64 %26, %20
  %37 = icmp slt i64 %36, %1
  %38 = add i64 %25, %20
  br i1 %37, label %24, label %73

39:
  %40 = phi i64 [ %63, %61 ], [ %31, %24 ]
  %41 = phi i64 [ %62, %61 ], [ %26, %24 ]
  %42 = phi i64 [ %68, %61 ], [ %26, %24 ]
  %43 = icmp slt i64 %41, %31
  br i1 %43, label %44, label %59

44:
  %45 = icmp slt i64 %40, %33
  br i1 %45, label %46, label %57

46:
  %47 = getelementptr inbounds i64, ptr %10, i64 %41
  %48 = load i64, ptr %47, align 8
  %49 = mul nsw i64 %48, %2
  %50 = getelementptr inbounds i8, ptr %0, i64 %49
  %51 = getelementptr inbounds i64, ptr %10, i64 %40
  %52 = load i64, ptr %51, align 8
  %53 = mul nsw i64 %52, %2
  %54 = getelementptr inbounds i8, ptr %0, i64 %53
  %55 = call i32 %3(ptr %50, ptr %54)
  %56 = icmp slt i32 %55, 1
  br i1 %56, label %57, label %59

57:
  %58 = add nsw i64 %41, 1
  br label %61

59:
  %60 = add nsw i64 %40, 1
  br label %61

61:
  %62 = phi i64 [ %58, %57 ], [ %41, %59 ]
  %63 = phi i64 [ %40, %57 ], [ %60, %59 ]
  %64 = phi i64 [ %41, %57 ], [ %40, %59 ]
  %65 = getelementptr inbounds i64, ptr %10, i64 %64
  %66 = load i64, ptr %65, align 8
  %67 = getelementptr inbounds i64, ptr %12, i64 %42
  store i64 %66, ptr %67, align 8
  %68 = add i64 %42, 1
  %69 = icmp eq i64 %68, %29
  br i1 %69, label %35, label %39

70:
  %71 = shl nsw i64 %19, 1
  %72 = icmp slt i64 %71, %1
  br i1 %72, label %18, label %21

73:
  %74 = phi i64 [ %78, %73 ], [ 0, %35 ]
  %75 = getelementptr inbounds i64, ptr %12, i64 %74
  %76 = load i64, ptr %75, align 8
  %77 = getelementptr inbounds i64, ptr %10, i64 %74
  store i64 %76, ptr %77, align 8
  %78 = add nsw i64 %74, 1
  %79 = icmp eq i64 %78, %1
  br i1 %79, label %70, label %73

80:
  call void @llvm.memcpy.p0.p0.i64(ptr %0, ptr %23, i64 %22, i1 false)
  call void @free(ptr %23)
  call void @free(ptr %10)
  br label %91

81:
  %82 = phi i64 [ %89, %81 ], [ 0, %21 ]
  %83 = mul nsw i64 %82, %2
  %84 = getelementptr inbounds i8, ptr %23, i64 %83
  %85 = getelementptr inbounds i64, ptr %10, i64 %82
  %86 = load i64, ptr %85, align 8
  %87 = mul nsw i64 %86, %2
  %88 = getelementptr inbounds i8, ptr %0, i64 %87
  call void @llvm.memcpy.p0.p0.i64(ptr %84, ptr %88, i64 %2, i1 false)
  %89 = add nsw i64 %82, 1
  %90 = icmp eq i64 %89, %1
  br i1 %90, label %80, label %81

91:
  ret void
}
declare ptr @malloc(i64)
define internal void @gradir.body.qsort_r(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) {
5:
  %6 = icmp slt i64 %1, 2
  %7 = icmp slt i64 %2, 1
  %8 = or i1 %6, %7
  br i1 %8, label %92, label %9

9:
  %10 = shl i64 %1, 4
  %11 = call ptr @malloc(i64 %10)
  br label %14

12:
  %13 = getelementptr inbounds i64, ptr %11, i64 %1
  br label %19

14:
  %15 = phi i64 [ 0, %9 ], [ %17, %14 ]
  %16 = getelementptr inbounds i64, ptr %11, i64 %15
  store i64 %15, ptr %16, align 8
  %17 = add nsw i64 %15, 1
  %18 = icmp eq i64 %17, %1
  br i1 %18, label %12, label %14

19:
  %20 = phi i64 [ 1, %12 ], [ %72, %71 ]
  %21 = shl i64 %20, 1
  br label %25

22:
  %23 = mul nsw i64 %2, %1
  %24 = call ptr @malloc(i64 %23)
  br label %82

25:
  %26 = phi i64 [ %20, %19 ], [ %39, %36 ]
  %27 = phi i64 [ 0, %19 ], [ %37, %36 ]
  %28 = call i64 @llvm.smin.i64(i64 %1, i64 %26)
  %29 = add nsw i64 %20, %28
  %30 = call i64 @llvm.smin.i64(i64 %1, i64 %29)
  %31 = add nsw i64 %27, %20
  %32 = call i64 @llvm.smin.i64(i64 %31, i64 %1)
  %33 = add nsw i64 %32, %20
  %34 = call i64 @llvm.smin.i64(i64 %33, i64 %1)
  %35 = icmp slt i64 %27, %34
  br i1 %35, label %40, label %36

36:
  %37 = add nsw i64 %27, %21
  %38 = icmp slt i64 %37, %1
  %39 = add i64 %26, %21
  br i1 %38, label %25, label %74

40:
  %41 = phi i64 [ %64, %62 ], [ %32, %25 ]
  %42 = phi i64 [ %63, %62 ], [ %27, %25 ]
  %43 = phi i64 [ %69, %62 ], [ %27, %25 ]
  %44 = icmp slt i64 %42, %32
  br i1 %44, label %45, label %60

45:
  %46 = icmp slt i64 %41, %34
  br i1 %46, label %47, label %58

47:
  %48 = getelementptr inbounds i64, ptr %11, i64 %42
  %49 = load i64, ptr %48, align 8
  %50 = mul nsw i64 %49, %2
  %51 = getelementptr inbounds i8, ptr %0, i64 %50
  %52 = getelementptr inbounds i64, ptr %11, i64 %41
  %53 = load i64, ptr %52, align 8
  %54 = mul nsw i64 %53, %2
  %55 = getelementptr inbounds i8, ptr %0, i64 %54
  %56 = call i32 %3(ptr %51, ptr %55, ptr %4)
  %57 = icmp slt i32 %56, 1
  br i1 %57, label %58, label %60

58:
  %59 = add nsw i64 %42, 1
  br label %62

60:
  %61 = add nsw i64 %41, 1
  br label %62

62:
  %63 = phi i64 [ %59, %58 ], [ %42, %60 ]
  %64 = phi i64 [ %41, %58 ], [ %61, %60 ]
  %65 = phi i64 [ %42, %58 ], [ %41, %60 ]
  %66 = getelementptr inbounds i64, ptr %11, i64 %65
  %67 = load i64, ptr %66, align 8
  %68 = getelementptr inbounds i64, ptr %13, i64 %43
  store i64 %67, ptr %68, align 8
  %69 = add i64 %43, 1
  %70 = icmp eq i64 %69, %30
  br i1 %70, label %36, label %40

71:
  %72 = shl nsw i64 %20, 1
  %73 = icmp slt i64 %72, %1
  br i1 %73, label %19, label %22

74:
  %75 = phi i64 [ %79, %74 ], [ 0, %36 ]
  %76 = getelementptr inbounds i64, ptr %13, i64 %75
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds i64, ptr %11, i64 %75
  store i64 %77, ptr %78, align 8
  %79 = add nsw i64 %75, 1
  %80 = icmp eq i64 %79, %1
  br i1 %80, label %71, label %74

81:
  call void @llvm.memcpy.p0.p0.i64(ptr %0, ptr %24, i64 %23, i1 false)
  call void @free(ptr %24)
  call void @free(ptr %11)
  br label %92

82:
  %83 = phi i64 [ %90, %82 ], [ 0, %22 ]
  %84 = mul nsw i64 %83, %2
  %85 = getelementptr inbounds i8, ptr %24, i64 %84
  %86 = getelementptr inbounds i64, ptr %11, i64 %83
  %87 = load i64, ptr %86, align 8
  %88 = mul nsw i64 %87, %2
  %89 = getelementptr inbounds i8, ptr %0, i64 %88
  call void @llvm.memcpy.p0.p0.i64(ptr %85, ptr %89, i64 %2, i1 false)
  %90 = add nsw i64 %83, 1
  %91 = icmp eq i64 %90, %1
  br i1 %91, label %81, label %82

92:
  ret void
}
define internal ptr @gradir.body.bsearch(ptr %0, ptr %1, i64 %2, i64 %3, ptr %4) {
5:
  br label %6

6:
  %7 = phi i64 [ %2, %5 ], [ %20, %10 ]
  %8 = phi i64 [ 0, %5 ], [ %21, %10 ]
  %9 = icmp slt i64 %8, %7
  br i1 %9, label %10, label %22

10:
  %11 = sub nsw i64 %7, %8
  %12 = lshr i64 %11, 1
  %13 = add nsw i64 %12, %8
  %14 = mul nsw i64 %13, %3
  %15 = getelementptr inbounds i8, ptr %1, i64 %14
  %16 = call i32 %4(ptr %0, ptr %15)
  %17 = icmp eq i32 %16, 0
  %18 = icmp slt i32 %16, 0
  %19 = add nsw i64 %13, 1
  %20 = select i1 %18, i64 %13, i64 %7
  %21 = select i1 %18, i64 %8, i64 %19
  br i1 %17, label %22, label %6

22:
  %23 = phi ptr [ %15, %10 ], [ null, %6 ]
  ret ptr %23
}
define internal double @gradir.body.modf(double %0, ptr %1) {
2:
  %3 = call double @llvm.trunc.f64(double %0)
  store double %3, ptr %1, align 8
  %4 = call double @llvm.fabs.f64(double %0)
  %5 = fcmp oeq double %4, 0x7FF0000000000000
  %6 = fsub double %0, %3
  %7 = select i1 %5, double 0.000000e+00, double %6
  %8 = call double @llvm.copysign.f64(double %7, double %0)
  ret double %8
}
declare double @llvm.trunc.f64(double)
declare double @llvm.copysign.f64(double, double)
define internal double @gradir.body.frexp(double %0, ptr %1) {
2:
  %3 = call { double, i32 } @llvm.frexp.f64.i32(double %0)
  %4 = extractvalue { double, i32 } %3, 1
  store i32 %4, ptr %1, align 4
  %5 = extractvalue { double, i32 } %3, 0
  ret double %5
}
define internal void @gradir.body.sincos(double %0, ptr %1, ptr %2) {
3:
  %4 = call double @llvm.sin.f64(double %0)
  store double %4, ptr %1, align 8
  %5 = call double @llvm.cos.f64(double %0)
  store double %5, ptr %2, align 8
  ret void
}
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
define internal double @gradir.body.lgamma_r(double %0, ptr %1) {
2:
  %3 = fcmp olt double %0, 0.000000e+00
  br i1 %3, label %4, label %8

4:
  %5 = call double @llvm.floor.f64(double %0)
  %6 = frem double %5, 2.000000e+00
  %7 = fcmp une double %6, 0.000000e+00
  br i1 %7, label %14, label %8

8:
  %9 = fcmp oeq double %0, 0.000000e+00
  %10 = bitcast double %0 to i64
  %11 = icmp slt i64 %10, 0
  %12 = and i1 %9, %11
  %13 = select i1 %12, i32 -1, i32 1
  br label %14

14:
  %15 = phi i32 [ %13, %8 ], [ -1, %4 ]
  store i32 %15, ptr %1, align 4
  %16 = call double @lgamma(double %0)
  ret double %16
}
declare double @lgamma(double)
define internal double @gradir.body.remquo(double %0, double %1, ptr %2) {
3:
  %4 = call double @remainder(double %0, double %1)
  %5 = fmul double %1, 8.000000e+00
  %6 = frem double %0, %5
  %7 = fsub double %6, %4
  %8 = fdiv double %7, %1
  %9 = call double @llvm.rint.f64(double %8)
  %10 = fptosi double %9 to i32
  %11 = call i32 @llvm.abs.i32(i32 %10, i1 true)
  %12 = bitcast double %0 to i64
  %13 = bitcast double %1 to i64
  %14 = xor i64 %13, %12
  %15 = sub nsw i32 0, %11
  %16 = icmp slt i64 %14, 0
  %17 = select i1 %16, i32 %15, i32 %11
  store i32 %17, ptr %2, align 4
  ret double %4
}
declare double @remainder(double, double)
declare double @llvm.rint.f64(double)
define internal { double, double } @gradir.body.__muldc3(double %0, double %1, double %2, double %3) {
4:
  %5 = fmul double %0, %2
  %6 = fmul double %1, %3
  %7 = fsub double %5, %6
  %8 = fmul double %0, %3
  %9 = fmul double %1, %2
  %10 = fadd double %9, %8
  %11 = fcmp uno double %7, 0.000000e+00
  %12 = fcmp uno double %10, 0.000000e+00
  %13 = and i1 %11, %12
  br i1 %13, label %14, label %95

14:
  %15 = call double @llvm.fabs.f64(double %0)
  %16 = fcmp oeq double %15, 0x7FF0000000000000
  %17 = call double @llvm.fabs.f64(double %1)
  %18 = fcmp oeq double %17, 0x7FF0000000000000
  %19 = or i1 %16, %18
  br i1 %19, label %20, label %31

20:
  %21 = uitofp i1 %16 to double
  %22 = call double @llvm.copysign.f64(double %21, double %0)
  %23 = uitofp i1 %18 to double
  %24 = call double @llvm.copysign.f64(double %23, double %1)
  %25 = fcmp uno double %2, 0.000000e+00
  %26 = call double @llvm.copysign.f64(double 0.000000e+00, double %2)
  %27 = select i1 %25, double %26, double %2
  %28 = fcmp uno double %3, 0.000000e+00
  %29 = call double @llvm.copysign.f64(double 0.000000e+00, double %3)
  %30 = select i1 %28, double %29, double %3
  br label %31

31:
  %32 = phi double [ %30, %20 ], [ %3, %14 ]
  %33 = phi double [ %27, %20 ], [ %2, %14 ]
  %34 = phi double [ %24, %20 ], [ %1, %14 ]
  %35 = phi double [ %22, %20 ], [ %0, %14 ]
  %36 = call double @llvm.fabs.f64(double %33)
  %37 = fcmp oeq double %36, 0x7FF0000000000000
  %38 = call double @llvm.fabs.f64(double %32)
  %39 = fcmp oeq double %38, 0x7FF0000000000000
  %40 = or i1 %39, %37
  br i1 %40, label %41, label %52

41:
  %42 = uitofp i1 %37 to double
  %43 = call double @llvm.copysign.f64(double %42, double %33)
  %44 = uitofp i1 %39 to double
  %45 = call double @llvm.copysign.f64(double %44, double %32)
  %46 = fcmp uno double %35, 0.000000e+00
  %47 = call double @llvm.copysign.f64(double 0.000000e+00, double %35)
  %48 = select i1 %46, double %47, double %35
  %49 = fcmp uno double %34, 0.000000e+00
  %50 = call double @llvm.copysign.f64(double 0.000000e+00, double %34)
  %51 = select i1 %49, double %50, double %34
  br label %82

52:
  br i1 %19, label %82, label %53

53:
  %54 = fmul double %33, %35
  %55 = call double @llvm.fabs.f64(double %54)
  %56 = fcmp oeq double %55, 0x7FF0000000000000
  br i1 %56, label %69, label %57

57:
  %58 = fmul double %32, %34
  %59 = call double @llvm.fabs.f64(double %58)
  %60 = fcmp oeq double %59, 0x7FF0000000000000
  br i1 %60, label %69, label %61

61:
  %62 = fmul double %32, %35
  %63 = call double @llvm.fabs.f64(double %62)
  %64 = fcmp oeq double %63, 0x7FF0000000000000
  br i1 %64, label %69, label %65

65:
  %66 = fmul double %33, %34
  %67 = call double @llvm.fabs.f64(double %66)
  %68 = fcmp oeq double %67, 0x7FF0000000000000
  br i1 %68, label %69, label %95

69:
  %70 = fcmp uno double %35, 0.000000e+00
  %71 = call double @llvm.copysign.f64(double 0.000000e+00, double %35)
  %72 = select i1 %70, double %71, double %35
  %73 = fcmp uno double %34, 0.000000e+00
  %74 = call double @llvm.copysign.f64(double 0.000000e+00, double %34)
  %75 = select i1 %73, double %74, double %34
  %76 = fcmp uno double %33, 0.000000e+00
  %77 = call double @llvm.copysign.f64(double 0.000000e+00, double %33)
  %78 = select i1 %76, double %77, double %33
  %79 = fcmp uno double %32, 0.000000e+00
  %80 = call double @llvm.copysign.f64(double 0.000000e+00, double %32)
  %81 = select i1 %79, double %80, double %32
  br label %82

82:
  %83 = phi double [ %32, %52 ], [ %81, %69 ], [ %45, %41 ]
  %84 = phi double [ %33, %52 ], [ %78, %69 ], [ %43, %41 ]
  %85 = phi double [ %34, %52 ], [ %75, %69 ], [ %51, %41 ]
  %86 = phi double [ %35, %52 ], [ %72, %69 ], [ %48, %41 ]
  %87 = fmul double %84, %86
  %88 = fmul double %83, %85
  %89 = fsub double %87, %88
  %90 = fmul double %89, 0x7FF0000000000000
  %91 = fmul double %83, %86
  %92 = fmul double %84, %85
  %93 = fadd double %92, %91
  %94 = fmul double %93, 0x7FF0000000000000
  br label %95

95:
  %96 = phi double [ %7, %4 ], [ %90, %82 ], [ %7, %65 ]
  %97 = phi double [ %10, %4 ], [ %94, %82 ], [ %10, %65 ]
  %98 = insertvalue { double, double } poison, double %96, 0
  %99 = insertvalue { double, double } %98, double %97, 1
  ret { double, double } %99
}
define internal { double, double } @gradir.body.__divdc3(double %0, double %1, double %2, double %3) {
4:
  %5 = call { double, double } @gradir.library.d_over(double %0, double %1, double %2, double %3)
  ret { double, double } %5
}
define internal { double, double } @gradir.library.d_over(double %0, double %1, double %2, double %3) {
4:
  %5 = call double @llvm.fabs.f64(double %2)
  %6 = call double @llvm.fabs.f64(double %3)
  %7 = call double @llvm.maxnum.f64(double %5, double %6)
  %8 = call double @logb(double %7)
  %9 = call double @llvm.fabs.f64(double %8)
  %10 = fcmp ueq double %9, 0x7FF0000000000000
  br i1 %10, label %16, label %11

11:
  %12 = fptosi double %8 to i32
  %13 = sub nsw i32 0, %12
  %14 = call double @llvm.ldexp.f64.i32(double %2, i32 %13)
  %15 = call double @llvm.ldexp.f64.i32(double %3, i32 %13)
  br label %16

16:
  %17 = phi i32 [ %12, %11 ], [ 0, %4 ]
  %18 = phi double [ %15, %11 ], [ %3, %4 ]
  %19 = phi double [ %14, %11 ], [ %2, %4 ]
  %20 = fmul double %19, %19
  %21 = fmul double %18, %18
  %22 = fadd double %21, %20
  %23 = fmul double %0, %19
  %24 = fmul double %1, %18
  %25 = fadd double %24, %23
  %26 = fdiv double %25, %22
  %27 = sub nsw i32 0, %17
  %28 = call double @llvm.ldexp.f64.i32(double %26, i32 %27)
  %29 = fmul double %1, %19
  %30 = fmul double %0, %18
  %31 = fsub double %29, %30
  %32 = fdiv double %31, %22
  %33 = call double @llvm.ldexp.f64.i32(double %32, i32 %27)
  %34 = fcmp uno double %28, 0.000000e+00
  %35 = fcmp uno double %33, 0.000000e+00
  %36 = select i1 %34, i1 %35, i1 false
  br i1 %36, label %37, label %94

37:
  %38 = fcmp oeq double %22, 0.000000e+00
  br i1 %38, label %39, label %47

39:
  %40 = fcmp uno double %0, 0.000000e+00
  %41 = fcmp uno double %1, 0.000000e+00
  %42 = select i1 %40, i1 %41, i1 false
  br i1 %42, label %47, label %43

43:
  %44 = call double @llvm.copysign.f64(double 0x7FF0000000000000, double %19)
  %45 = fmul double %0, %44
  %46 = fmul double %1, %44
  br label %94

47:
  %48 = call double @llvm.fabs.f64(double %0)
  %49 = fcmp oeq double %48, 0x7FF0000000000000
  %50 = call double @llvm.fabs.f64(double %1)
  %51 = fcmp oeq double %50, 0x7FF0000000000000
  %52 = select i1 %49, i1 true, i1 %51
  %53 = xor i1 %52, true
  %54 = call double @llvm.fabs.f64(double %19)
  %55 = fcmp ueq double %54, 0x7FF0000000000000
  %56 = select i1 %53, i1 true, i1 %55
  %57 = call double @llvm.fabs.f64(double %18)
  %58 = fcmp ueq double %57, 0x7FF0000000000000
  %59 = select i1 %56, i1 true, i1 %58
  br i1 %59, label %73, label %60

60:
  %61 = uitofp i1 %49 to double
  %62 = call double @llvm.copysign.f64(double %61, double %0)
  %63 = uitofp i1 %51 to double
  %64 = call double @llvm.copysign.f64(double %63, double %1)
  %65 = fmul double %62, %19
  %66 = fmul double %64, %18
  %67 = fadd double %66, %65
  %68 = fmul double %67, 0x7FF0000000000000
  %69 = fmul double %64, %19
  %70 = fmul double %62, %18
  %71 = fsub double %69, %70
  %72 = fmul double %71, 0x7FF0000000000000
  br label %94

73:
  %74 = fcmp une double %8, 0x7FF0000000000000
  %75 = fcmp ueq double %48, 0x7FF0000000000000
  %76 = or i1 %75, %74
  %77 = fcmp ueq double %50, 0x7FF0000000000000
  %78 = select i1 %76, i1 true, i1 %77
  br i1 %78, label %94, label %79

79:
  %80 = fcmp oeq double %54, 0x7FF0000000000000
  %81 = uitofp i1 %80 to double
  %82 = call double @llvm.copysign.f64(double %81, double %19)
  %83 = fcmp oeq double %57, 0x7FF0000000000000
  %84 = uitofp i1 %83 to double
  %85 = call double @llvm.copysign.f64(double %84, double %18)
  %86 = fmul double %0, %82
  %87 = fmul double %1, %85
  %88 = fadd double %87, %86
  %89 = fmul double %88, 0.000000e+00
  %90 = fmul double %1, %82
  %91 = fmul double %0, %85
  %92 = fsub double %90, %91
  %93 = fmul double %92, 0.000000e+00
  br label %94

94:
  %95 = phi double [ %68, %60 ], [ %89, %79 ], [ %45, %43 ], [ %28, %16 ], [ %28, %73 ]
  %96 = phi double [ %72, %60 ], [ %93, %79 ], [ %46, %43 ], [ %33, %16 ], [ %33, %73 ]
  %97 = insertvalue { double, double } poison, double %95, 0
  %98 = insertvalue { double, double } %97, double %96, 1
  ret { double, double } %98
}
define internal double @gradir.body.cabs(double %0, double %1) {
2:
  %3 = call double @hypot(double %0, double %1)
  ret double %3
}
declare double @hypot(double, double)
define internal double @gradir.body.carg(double %0, double %1) {
2:
  %3 = call double @llvm.atan2.f64(double %1, double %0)
  ret double %3
}
declare double @llvm.atan2.f64(double, double)
define internal double @gradir.body.creal(double %0, double %1) {
2:
  ret double %0
}
define internal double @gradir.body.cimag(double %0, double %1) {
2:
  ret double %1
}
define internal { double, double } @gradir.body.conj(double %0, double %1) {
2:
  %3 = fneg double %1
  %4 = insertvalue { double, double } poison, double %0, 0
  %5 = insertvalue { double, double } %4, double %3, 1
  ret { double, double } %5
}
define internal { double, double } @gradir.body.cproj(double %0, double %1) {
2:
  %3 = call double @llvm.fabs.f64(double %0)
  %4 = fcmp oeq double %3, 0x7FF0000000000000
  %5 = call double @llvm.fabs.f64(double %1)
  %6 = fcmp oeq double %5, 0x7FF0000000000000
  %7 = or i1 %4, %6
  %8 = call double @llvm.copysign.f64(double 0.000000e+00, double %1)
  %9 = select i1 %7, double 0x7FF0000000000000, double %0
  %10 = select i1 %7, double %8, double %1
  %11 = insertvalue { double, double } poison, double %9, 0
  %12 = insertvalue { double, double } %11, double %10, 1
  ret { double, double } %12
}
define internal { double, double } @gradir.body.cexp(double %0, double %1) {
2:
  %3 = call double @llvm.exp.f64(double %0)
  %4 = fcmp oeq double %1, 0.000000e+00
  br i1 %4, label %9, label %5

5:
  %6 = call double @llvm.cos.f64(double %1)
  %7 = fmul double %3, %6
  %8 = call double @llvm.sin.f64(double %1)
  br label %9

9:
  %10 = phi double [ %7, %5 ], [ %3, %2 ]
  %11 = phi double [ %8, %5 ], [ %1, %2 ]
  %12 = fmul double %3, %11
  %13 = insertvalue { double, double } poison, double %10, 0
  %14 = insertvalue { double, double } %13, double %12, 1
  ret { double, double } %14
}
define internal { double, double } @gradir.body.clog(double %0, double %1) {
2:
  %3 = call double @hypot(double %0, double %1)
  %4 = call double @llvm.log.f64(double %3)
  %5 = call double @llvm.atan2.f64(double %1, double %0)
  %6 = insertvalue { double, double } poison, double %4, 0
  %7 = insertvalue { double, double } %6, double %5, 1
  ret { double, double } %7
}
define internal { double, double } @gradir.body.clog10(double %0, double %1) {
2:
  %3 = call double @hypot(double %0, double %1)
  %4 = call double @llvm.log10.f64(double %3)
  %5 = call double @llvm.atan2.f64(double %1, double %0)
  %6 = fmul double %5, 0x3FDBCB7B1526E50E
  %7 = insertvalue { double, double } poison, double %4, 0
  %8 = insertvalue { double, double } %7, double %6, 1
  ret { double, double } %8
}
declare double @llvm.log10.f64(double)
define internal { double, double } @gradir.body.csqrt(double %0, double %1) {
2:
  %3 = fcmp oeq double %0, 0.000000e+00
  %4 = fcmp oeq double %1, 0.000000e+00
  %5 = and i1 %3, %4
  br i1 %5, label %33, label %6

6:
  %7 = call double @llvm.fabs.f64(double %0)
  %8 = call double @llvm.fabs.f64(double %1)
  %9 = call double @llvm.maxnum.f64(double %7, double %8)
  %10 = fcmp ogt double %9, 0x7FB0000000000000
  %11 = fmul double %0, 2.500000e-01
  %12 = fmul double %1, 2.500000e-01
  %13 = select i1 %10, double %12, double %1
  %14 = select i1 %10, double %11, double %0
  %15 = select i1 %10, double 2.000000e+00, double 1.000000e+00
  %16 = call double @llvm.fabs.f64(double %14)
  %17 = call double @hypot(double %14, double %13)
  %18 = fadd double %16, %17
  %19 = fmul double %18, 5.000000e-01
  %20 = call double @llvm.sqrt.f64(double %19)
  %21 = fcmp ult double %14, 0.000000e+00
  %22 = fmul double %20, 2.000000e+00
  br i1 %21, label %27, label %23

23:
  %24 = fmul double %15, %20
  %25 = fmul double %15, %13
  %26 = fdiv double %25, %22
  br label %33

27:
  %28 = call double @llvm.fabs.f64(double %13)
  %29 = fmul double %15, %28
  %30 = fdiv double %29, %22
  %31 = call double @llvm.copysign.f64(double %20, double %13)
  %32 = fmul double %15, %31
  br label %33

33:
  %34 = phi double [ 0.000000e+00, %2 ], [ %24, %23 ], [ %30, %27 ]
  %35 = phi double [ %1, %2 ], [ %26, %23 ], [ %32, %27 ]
  %36 = insertvalue { double, double } poison, double %34, 0
  %37 = insertvalue { double, double } %36, double %35, 1
  ret { double, double } %37
}
define internal { double, double } @gradir.body.csin(double %0, double %1) {
2:
  %3 = call double @llvm.sin.f64(double %0)
  %4 = call double @llvm.cosh.f64(double %1)
  %5 = fmul double %3, %4
  %6 = call double @llvm.cos.f64(double %0)
  %7 = call double @llvm.sinh.f64(double %1)
  %8 = fmul double %6, %7
  %9 = insertvalue { double, double } poison, double %5, 0
  %10 = insertvalue { double, double } %9, double %8, 1
  ret { double, double } %10
}
declare double @llvm.cosh.f64(double)
declare double @llvm.sinh.f64(double)
define internal { double, double } @gradir.body.ccos(double %0, double %1) {
2:
  %3 = call double @llvm.cos.f64(double %0)
  %4 = call double @llvm.cosh.f64(double %1)
  %5 = fmul double %3, %4
  %6 = call double @llvm.sin.f64(double %0)
  %7 = call double @llvm.sinh.f64(double %1)
  %8 = fneg double %7
  %9 = fmul double %6, %8
  %10 = insertvalue { double, double } poison, double %5, 0
  %11 = insertvalue { double, double } %10, double %9, 1
  ret { double, double } %11
}
define internal { double, double } @gradir.body.csinh(double %0, double %1) {
2:
  %3 = call double @llvm.sinh.f64(double %0)
  %4 = call double @llvm.cos.f64(double %1)
  %5 = fmul double %3, %4
  %6 = call double @llvm.cosh.f64(double %0)
  %7 = call double @llvm.sin.f64(double %1)
  %8 = fmul double %6, %7
  %9 = insertvalue { double, double } poison, double %5, 0
  %10 = insertvalue { double, double } %9, double %8, 1
  ret { double, double } %10
}
define internal { double, double } @gradir.body.ccosh(double %0, double %1) {
2:
  %3 = call double @llvm.cosh.f64(double %0)
  %4 = call double @llvm.cos.f64(double %1)
  %5 = fmul double %3, %4
  %6 = call double @llvm.sinh.f64(double %0)
  %7 = call double @llvm.sin.f64(double %1)
  %8 = fmul double %6, %7
  %9 = insertvalue { double, double } poison, double %5, 0
  %10 = insertvalue { double, double } %9, double %8, 1
  ret { double, double } %10
}
define internal { double, double } @gradir.body.ctanh(double %0, double %1) {
2:
  %3 = call double @llvm.fabs.f64(double %0)
  %4 = fcmp ogt double %3, 2.200000e+01
  br i1 %4, label %5, label %14

5:
  %6 = call double @llvm.copysign.f64(double 1.000000e+00, double %0)
  %7 = call double @llvm.sin.f64(double %1)
  %8 = fmul double %7, 4.000000e+00
  %9 = call double @llvm.cos.f64(double %1)
  %10 = fmul double %9, %8
  %11 = fmul double %3, -2.000000e+00
  %12 = call double @llvm.exp.f64(double %11)
  %13 = fmul double %12, %10
  br label %29

14:
  %15 = call double @llvm.tan.f64(double %1)
  %16 = fmul double %15, %15
  %17 = fadd double %16, 1.000000e+00
  %18 = call double @llvm.sinh.f64(double %0)
  %19 = fmul double %18, %18
  %20 = fadd double %19, 1.000000e+00
  %21 = call double @llvm.sqrt.f64(double %20)
  %22 = fmul double %18, %17
  %23 = fmul double %18, %22
  %24 = fadd double %23, 1.000000e+00
  %25 = fmul double %17, %21
  %26 = fmul double %18, %25
  %27 = fdiv double %26, %24
  %28 = fdiv double %15, %24
  br label %29

29:
  %30 = phi double [ %6, %5 ], [ %27, %14 ]
  %31 = phi double [ %13, %5 ], [ %28, %14 ]
  %32 = insertvalue { double, double } poison, double %30, 0
  %33 = insertvalue { double, double } %32, double %31, 1
  ret { double, double } %33
}
define internal { double, double } @gradir.body.ctan(double %0, double %1) {
2:
  %3 = fneg double %1
  %4 = call double @llvm.fabs.f64(double %1)
  %5 = fcmp ogt double %4, 2.200000e+01
  br i1 %5, label %6, label %15

6:
  %7 = call double @llvm.copysign.f64(double 1.000000e+00, double %3)
  %8 = call double @llvm.sin.f64(double %0)
  %9 = fmul double %8, 4.000000e+00
  %10 = call double @llvm.cos.f64(double %0)
  %11 = fmul double %10, %9
  %12 = fmul double %4, -2.000000e+00
  %13 = call double @llvm.exp.f64(double %12)
  %14 = fmul double %11, %13
  br label %30

15:
  %16 = call double @llvm.tan.f64(double %0)
  %17 = fmul double %16, %16
  %18 = fadd double %17, 1.000000e+00
  %19 = call double @llvm.sinh.f64(double %3)
  %20 = fmul double %19, %19
  %21 = fadd double %20, 1.000000e+00
  %22 = call double @llvm.sqrt.f64(double %21)
  %23 = fmul double %19, %18
  %24 = fmul double %19, %23
  %25 = fadd double %24, 1.000000e+00
  %26 = fmul double %18, %22
  %27 = fmul double %19, %26
  %28 = fdiv double %27, %25
  %29 = fdiv double %16, %25
  br label %30

30:
  %31 = phi double [ %7, %6 ], [ %28, %15 ]
  %32 = phi double [ %14, %6 ], [ %29, %15 ]
  %33 = fneg double %31
  %34 = insertvalue { double, double } poison, double %32, 0
  %35 = insertvalue { double, double } %34, double %33, 1
  ret { double, double } %35
}
define internal { double, double } @gradir.body.casin(double %0, double %1) {
2:
  %3 = call { double, double } @gradir.library.d_arcsine(double %0, double %1)
  ret { double, double } %3
}
define internal { double, double } @gradir.library.d_arcsine(double %0, double %1) {
2:
  %3 = fsub double 1.000000e+00, %0
  %4 = fneg double %1
  %5 = fcmp oeq double %3, 0.000000e+00
  %6 = fcmp oeq double %1, 0.000000e+00
  %7 = select i1 %5, i1 %6, i1 false
  br i1 %7, label %35, label %8

8:
  %9 = call double @llvm.fabs.f64(double %3)
  %10 = call double @llvm.fabs.f64(double %1)
  %11 = call double @llvm.maxnum.f64(double %9, double %10)
  %12 = fcmp ogt double %11, 0x7FB0000000000000
  %13 = fmul double %3, 2.500000e-01
  %14 = fmul double %1, -2.500000e-01
  %15 = select i1 %12, double %14, double %4
  %16 = select i1 %12, double %13, double %3
  %17 = select i1 %12, double 2.000000e+00, double 1.000000e+00
  %18 = call double @llvm.fabs.f64(double %16)
  %19 = call double @hypot(double %16, double %15)
  %20 = fadd double %18, %19
  %21 = fmul double %20, 5.000000e-01
  %22 = call double @llvm.sqrt.f64(double %21)
  %23 = fcmp ult double %16, 0.000000e+00
  %24 = fmul double %22, 2.000000e+00
  br i1 %23, label %29, label %25

25:
  %26 = fmul double %17, %22
  %27 = fmul double %17, %15
  %28 = fdiv double %27, %24
  br label %35

29:
  %30 = call double @llvm.fabs.f64(double %15)
  %31 = fmul double %17, %30
  %32 = fdiv double %31, %24
  %33 = call double @llvm.copysign.f64(double %22, double %15)
  %34 = fmul double %17, %33
  br label %35

35:
  %36 = phi double [ 0.000000e+00, %2 ], [ %26, %25 ], [ %32, %29 ]
  %37 = phi double [ %4, %2 ], [ %28, %25 ], [ %34, %29 ]
  %38 = fadd double %0, 1.000000e+00
  %39 = fcmp oeq double %38, 0.000000e+00
  %40 = select i1 %39, i1 %6, i1 false
  br i1 %40, label %68, label %41

41:
  %42 = call double @llvm.fabs.f64(double %38)
  %43 = call double @llvm.fabs.f64(double %1)
  %44 = call double @llvm.maxnum.f64(double %42, double %43)
  %45 = fcmp ogt double %44, 0x7FB0000000000000
  %46 = fmul double %38, 2.500000e-01
  %47 = fmul double %1, 2.500000e-01
  %48 = select i1 %45, double %47, double %1
  %49 = select i1 %45, double %46, double %38
  %50 = select i1 %45, double 2.000000e+00, double 1.000000e+00
  %51 = call double @llvm.fabs.f64(double %49)
  %52 = call double @hypot(double %49, double %48)
  %53 = fadd double %51, %52
  %54 = fmul double %53, 5.000000e-01
  %55 = call double @llvm.sqrt.f64(double %54)
  %56 = fcmp ult double %49, 0.000000e+00
  %57 = fmul double %55, 2.000000e+00
  br i1 %56, label %62, label %58

58:
  %59 = fmul double %50, %55
  %60 = fmul double %50, %48
  %61 = fdiv double %60, %57
  br label %68

62:
  %63 = call double @llvm.fabs.f64(double %48)
  %64 = fmul double %50, %63
  %65 = fdiv double %64, %57
  %66 = call double @llvm.copysign.f64(double %55, double %48)
  %67 = fmul double %50, %66
  br label %68

68:
  %69 = phi double [ 0.000000e+00, %35 ], [ %59, %58 ], [ %65, %62 ]
  %70 = phi double [ %1, %35 ], [ %61, %58 ], [ %67, %62 ]
  %71 = fmul double %36, %69
  %72 = fmul double %37, %70
  %73 = fsub double %71, %72
  %74 = call double @llvm.atan2.f64(double %0, double %73)
  %75 = fmul double %36, %70
  %76 = fmul double %37, %69
  %77 = fsub double %75, %76
  %78 = call double @asinh(double %77)
  %79 = insertvalue { double, double } poison, double %74, 0
  %80 = insertvalue { double, double } %79, double %78, 1
  ret { double, double } %80
}
define internal { double, double } @gradir.body.casinh(double %0, double %1) {
2:
  %3 = fneg double %1
  %4 = call { double, double } @gradir.library.d_arcsine(double %3, double %0)
  %5 = extractvalue { double, double } %4, 0
  %6 = extractvalue { double, double } %4, 1
  %7 = fneg double %5
  %8 = insertvalue { double, double } poison, double %6, 0
  %9 = insertvalue { double, double } %8, double %7, 1
  ret { double, double } %9
}
define internal { double, double } @gradir.body.cacos(double %0, double %1) {
2:
  %3 = fsub double 1.000000e+00, %0
  %4 = fneg double %1
  %5 = fcmp oeq double %3, 0.000000e+00
  %6 = fcmp oeq double %1, 0.000000e+00
  %7 = and i1 %5, %6
  br i1 %7, label %35, label %8

8:
  %9 = call double @llvm.fabs.f64(double %3)
  %10 = call double @llvm.fabs.f64(double %1)
  %11 = call double @llvm.maxnum.f64(double %9, double %10)
  %12 = fcmp ogt double %11, 0x7FB0000000000000
  %13 = fmul double %3, 2.500000e-01
  %14 = fmul double %1, -2.500000e-01
  %15 = select i1 %12, double %14, double %4
  %16 = select i1 %12, double %13, double %3
  %17 = select i1 %12, double 2.000000e+00, double 1.000000e+00
  %18 = call double @llvm.fabs.f64(double %16)
  %19 = call double @hypot(double %16, double %15)
  %20 = fadd double %18, %19
  %21 = fmul double %20, 5.000000e-01
  %22 = call double @llvm.sqrt.f64(double %21)
  %23 = fcmp ult double %16, 0.000000e+00
  %24 = fmul double %22, 2.000000e+00
  br i1 %23, label %29, label %25

25:
  %26 = fmul double %17, %22
  %27 = fmul double %17, %15
  %28 = fdiv double %27, %24
  br label %35

29:
  %30 = call double @llvm.fabs.f64(double %15)
  %31 = fmul double %17, %30
  %32 = fdiv double %31, %24
  %33 = call double @llvm.copysign.f64(double %22, double %15)
  %34 = fmul double %17, %33
  br label %35

35:
  %36 = phi double [ 0.000000e+00, %2 ], [ %26, %25 ], [ %32, %29 ]
  %37 = phi double [ %4, %2 ], [ %28, %25 ], [ %34, %29 ]
  %38 = fadd double %0, 1.000000e+00
  %39 = fcmp oeq double %38, 0.000000e+00
  %40 = and i1 %39, %6
  br i1 %40, label %68, label %41

41:
  %42 = call double @llvm.fabs.f64(double %38)
  %43 = call double @llvm.fabs.f64(double %1)
  %44 = call double @llvm.maxnum.f64(double %42, double %43)
  %45 = fcmp ogt double %44, 0x7FB0000000000000
  %46 = fmul double %38, 2.500000e-01
  %47 = fmul double %1, 2.500000e-01
  %48 = select i1 %45, double %47, double %1
  %49 = select i1 %45, double %46, double %38
  %50 = select i1 %45, double 2.000000e+00, double 1.000000e+00
  %51 = call double @llvm.fabs.f64(double %49)
  %52 = call double @hypot(double %49, double %48)
  %53 = fadd double %51, %52
  %54 = fmul double %53, 5.000000e-01
  %55 = call double @llvm.sqrt.f64(double %54)
  %56 = fcmp ult double %49, 0.000000e+00
  %57 = fmul double %55, 2.000000e+00
  br i1 %56, label %62, label %58

58:
  %59 = fmul double %50, %55
  %60 = fmul double %50, %48
  %61 = fdiv double %60, %57
  br label %68

62:
  %63 = call double @llvm.fabs.f64(double %48)
  %64 = fmul double %50, %63
  %65 = fdiv double %64, %57
  %66 = call double @llvm.copysign.f64(double %55, double %48)
  %67 = fmul double %50, %66
  br label %68

68:
  %69 = phi double [ 0.000000e+00, %35 ], [ %59, %58 ], [ %65, %62 ]
  %70 = phi double [ %1, %35 ], [ %61, %58 ], [ %67, %62 ]
  %71 = call double @llvm.atan2.f64(double %36, double %69)
  %72 = fmul double %71, 2.000000e+00
  %73 = fmul double %37, %69
  %74 = fmul double %36, %70
  %75 = fsub double %73, %74
  %76 = call double @asinh(double %75)
  %77 = insertvalue { double, double } poison, double %72, 0
  %78 = insertvalue { double, double } %77, double %76, 1
  ret { double, double } %78
}
declare double @asinh(double)
define internal { double, double } @gradir.body.cacosh(double %0, double %1) {
2:
  %3 = fadd double %0, -1.000000e+00
  %4 = fcmp oeq double %3, 0.000000e+00
  %5 = fcmp oeq double %1, 0.000000e+00
  %6 = and i1 %4, %5
  br i1 %6, label %34, label %7

7:
  %8 = call double @llvm.fabs.f64(double %3)
  %9 = call double @llvm.fabs.f64(double %1)
  %10 = call double @llvm.maxnum.f64(double %8, double %9)
  %11 = fcmp ogt double %10, 0x7FB0000000000000
  %12 = fmul double %3, 2.500000e-01
  %13 = fmul double %1, 2.500000e-01
  %14 = select i1 %11, double %13, double %1
  %15 = select i1 %11, double %12, double %3
  %16 = select i1 %11, double 2.000000e+00, double 1.000000e+00
  %17 = call double @llvm.fabs.f64(double %15)
  %18 = call double @hypot(double %15, double %14)
  %19 = fadd double %17, %18
  %20 = fmul double %19, 5.000000e-01
  %21 = call double @llvm.sqrt.f64(double %20)
  %22 = fcmp ult double %15, 0.000000e+00
  %23 = fmul double %21, 2.000000e+00
  br i1 %22, label %28, label %24

24:
  %25 = fmul double %16, %21
  %26 = fmul double %16, %14
  %27 = fdiv double %26, %23
  br label %34

28:
  %29 = call double @llvm.fabs.f64(double %14)
  %30 = fmul double %16, %29
  %31 = fdiv double %30, %23
  %32 = call double @llvm.copysign.f64(double %21, double %14)
  %33 = fmul double %16, %32
  br label %34

34:
  %35 = phi double [ 0.000000e+00, %2 ], [ %25, %24 ], [ %31, %28 ]
  %36 = phi double [ %1, %2 ], [ %27, %24 ], [ %33, %28 ]
  %37 = fadd double %0, 1.000000e+00
  %38 = fcmp oeq double %37, 0.000000e+00
  %39 = and i1 %38, %5
  br i1 %39, label %67, label %40

40:
  %41 = call double @llvm.fabs.f64(double %37)
  %42 = call double @llvm.fabs.f64(double %1)
  %43 = call double @llvm.maxnum.f64(double %41, double %42)
  %44 = fcmp ogt double %43, 0x7FB0000000000000
  %45 = fmul double %37, 2.500000e-01
  %46 = fmul double %1, 2.500000e-01
  %47 = select i1 %44, double %46, double %1
  %48 = select i1 %44, double %45, double %37
  %49 = select i1 %44, double 2.000000e+00, double 1.000000e+00
  %50 = call double @llvm.fabs.f64(double %48)
  %51 = call double @hypot(double %48, double %47)
  %52 = fadd double %50, %51
  %53 = fmul double %52, 5.000000e-01
  %54 = call double @llvm.sqrt.f64(double %53)
  %55 = fcmp ult double %48, 0.000000e+00
  %56 = fmul double %54, 2.000000e+00
  br i1 %55, label %61, label %57

57:
  %58 = fmul double %49, %54
  %59 = fmul double %49, %47
  %60 = fdiv double %59, %56
  br label %67

61:
  %62 = call double @llvm.fabs.f64(double %47)
  %63 = fmul double %49, %62
  %64 = fdiv double %63, %56
  %65 = call double @llvm.copysign.f64(double %54, double %47)
  %66 = fmul double %49, %65
  br label %67

67:
  %68 = phi double [ 0.000000e+00, %34 ], [ %58, %57 ], [ %64, %61 ]
  %69 = phi double [ %1, %34 ], [ %60, %57 ], [ %66, %61 ]
  %70 = fmul double %35, %68
  %71 = fmul double %36, %69
  %72 = fadd double %70, %71
  %73 = call double @asinh(double %72)
  %74 = call double @llvm.atan2.f64(double %36, double %68)
  %75 = fmul double %74, 2.000000e+00
  %76 = insertvalue { double, double } poison, double %73, 0
  %77 = insertvalue { double, double } %76, double %75, 1
  ret { double, double } %77
}
define internal { double, double } @gradir.body.catanh(double %0, double %1) {
2:
  %3 = fmul double %0, 4.000000e+00
  %4 = fsub double 1.000000e+00, %0
  %5 = fmul double %4, %4
  %6 = fmul double %1, %1
  %7 = fadd double %5, %6
  %8 = fdiv double %3, %7
  %9 = call double @log1p(double %8)
  %10 = fmul double %9, 2.500000e-01
  %11 = fmul double %1, 2.000000e+00
  %12 = fadd double %0, 1.000000e+00
  %13 = fmul double %4, %12
  %14 = fsub double %13, %6
  %15 = call double @llvm.atan2.f64(double %11, double %14)
  %16 = fmul double %15, 5.000000e-01
  %17 = insertvalue { double, double } poison, double %10, 0
  %18 = insertvalue { double, double } %17, double %16, 1
  ret { double, double } %18
}
define internal { double, double } @gradir.body.catan(double %0, double %1) {
2:
  %3 = fmul double %1, -4.000000e+00
  %4 = fadd double %1, 1.000000e+00
  %5 = fmul double %4, %4
  %6 = fmul double %0, %0
  %7 = fadd double %6, %5
  %8 = fdiv double %3, %7
  %9 = call double @log1p(double %8)
  %10 = fmul double %0, 2.000000e+00
  %11 = fsub double 1.000000e+00, %1
  %12 = fmul double %4, %11
  %13 = fsub double %12, %6
  %14 = call double @llvm.atan2.f64(double %10, double %13)
  %15 = fmul double %14, 5.000000e-01
  %16 = fmul double %9, -2.500000e-01
  %17 = insertvalue { double, double } poison, double %15, 0
  %18 = insertvalue { double, double } %17, double %16, 1
  ret { double, double } %18
}
define internal { double, double } @gradir.body.cpow(double %0, double %1, double %2, double %3) {
4:
  %5 = fcmp oeq double %2, 0.000000e+00
  %6 = fcmp oeq double %3, 0.000000e+00
  %7 = and i1 %5, %6
  br i1 %7, label %32, label %8

8:
  %9 = fcmp oeq double %0, 0.000000e+00
  %10 = fcmp oeq double %1, 0.000000e+00
  %11 = and i1 %9, %10
  br i1 %11, label %32, label %12

12:
  %13 = call double @hypot(double %0, double %1)
  %14 = call double @llvm.log.f64(double %13)
  %15 = call double @llvm.atan2.f64(double %1, double %0)
  %16 = fmul double %2, %14
  %17 = fmul double %15, %3
  %18 = fsub double %16, %17
  %19 = fmul double %2, %15
  %20 = fmul double %3, %14
  %21 = fadd double %19, %20
  %22 = call double @llvm.exp.f64(double %18)
  %23 = fcmp oeq double %21, 0.000000e+00
  br i1 %23, label %28, label %24

24:
  %25 = call double @llvm.cos.f64(double %21)
  %26 = fmul double %22, %25
  %27 = call double @llvm.sin.f64(double %21)
  br label %28

28:
  %29 = phi double [ %26, %24 ], [ %22, %12 ]
  %30 = phi double [ %27, %24 ], [ %21, %12 ]
  %31 = fmul double %22, %30
  br label %32

32:
  %33 = phi double [ %29, %28 ], [ 1.000000e+00, %4 ], [ 0.000000e+00, %8 ]
  %34 = phi double [ %31, %28 ], [ 0.000000e+00, %4 ], [ 0.000000e+00, %8 ]
  %35 = insertvalue { double, double } poison, double %33, 0
  %36 = insertvalue { double, double } %35, double %34, 1
  ret { double, double } %36
}
define internal { double, double } @gradir.body._FortranAzpowi(double %0, double %1, i32 %2) {
3:
  %4 = sext i32 %2 to i64
  %5 = call { double, double } @gradir.library.d_whole_power(double %0, double %1, i64 %4)
  ret { double, double } %5
}
define internal { double, double } @gradir.library.d_whole_power(double %0, double %1, i64 %2) {
3:
  %4 = icmp slt i64 %2, 0
  br i1 %4, label %5, label %58

5:
  %6 = call double @llvm.fabs.f64(double %0)
  %7 = call double @llvm.fabs.f64(double %1)
  %8 = call double @llvm.maxnum.f64(double %6, double %7)
  %9 = call double @logb(double %8)
  %10 = call double @llvm.fabs.f64(double %9)
  %11 = fcmp ueq double %10, 0x7FF0000000000000
  br i1 %11, label %17, label %12

12:
  %13 = fptosi double %9 to i32
  %14 = sub nsw i32 0, %13
  %15 = call double @llvm.ldexp.f64.i32(double %0, i32 %14)
  %16 = call double @llvm.ldexp.f64.i32(double %1, i32 %14)
  br label %17

17:
  %18 = phi i32 [ %13, %12 ], [ 0, %5 ]
  %19 = phi double [ %16, %12 ], [ %1, %5 ]
  %20 = phi double [ %15, %12 ], [ %0, %5 ]
  %21 = fmul double %20, %20
  %22 = fmul double %19, %19
  %23 = fadd double %22, %21
  %24 = fmul double %19, 0.000000e+00
  %25 = fadd double %24, %20
  %26 = fdiv double %25, %23
  %27 = sub nsw i32 0, %18
  %28 = call double @llvm.ldexp.f64.i32(double %26, i32 %27)
  %29 = fmul double %20, 0.000000e+00
  %30 = fsub double %29, %19
  %31 = fdiv double %30, %23
  %32 = call double @llvm.ldexp.f64.i32(double %31, i32 %27)
  %33 = fcmp uno double %28, 0.000000e+00
  %34 = fcmp uno double %32, 0.000000e+00
  %35 = select i1 %33, i1 %34, i1 false
  br i1 %35, label %36, label %60

36:
  %37 = fcmp oeq double %23, 0.000000e+00
  br i1 %37, label %38, label %41

38:
  %39 = call double @llvm.copysign.f64(double 0x7FF0000000000000, double %20)
  %40 = fmul double %39, 0.000000e+00
  br label %60

41:
  %42 = fcmp une double %9, 0x7FF0000000000000
  br i1 %42, label %60, label %43

43:
  %44 = call double @llvm.fabs.f64(double %19)
  %45 = call double @llvm.fabs.f64(double %20)
  %46 = fcmp oeq double %45, 0x7FF0000000000000
  %47 = uitofp i1 %46 to double
  %48 = call double @llvm.copysign.f64(double %47, double %20)
  %49 = fcmp oeq double %44, 0x7FF0000000000000
  %50 = uitofp i1 %49 to double
  %51 = call double @llvm.copysign.f64(double %50, double %19)
  %52 = call double @llvm.copysign.f64(double 0.000000e+00, double %19)
  %53 = fadd double %52, %48
  %54 = fmul double %53, 0.000000e+00
  %55 = call double @llvm.copysign.f64(double 0.000000e+00, double %20)
  %56 = fsub double %55, %51
  %57 = fmul double %56, 0.000000e+00
  br label %60

58:
  %59 = icmp eq i64 %2, 0
  br i1 %59, label %64, label %60

60:
  %61 = phi double [ %1, %58 ], [ %32, %17 ], [ %40, %38 ], [ %57, %43 ], [ %32, %41 ]
  %62 = phi double [ %0, %58 ], [ %28, %17 ], [ %39, %38 ], [ %54, %43 ], [ %28, %41 ]
  %63 = call i64 @llvm.abs.i64(i64 %2, i1 false)
  br label %69

64:
  %65 = phi double [ 1.000000e+00, %58 ], [ %85, %84 ]
  %66 = phi double [ 0.000000e+00, %58 ], [ %86, %84 ]
  %67 = insertvalue { double, double } poison, double %65, 0
  %68 = insertvalue { double, double } %67, double %66, 1
  ret { double, double } %68

69:
  %70 = phi double [ %86, %84 ], [ 0.000000e+00, %60 ]
  %71 = phi double [ %85, %84 ], [ 1.000000e+00, %60 ]
  %72 = phi double [ %91, %84 ], [ %61, %60 ]
  %73 = phi double [ %89, %84 ], [ %62, %60 ]
  %74 = phi i64 [ %92, %84 ], [ %63, %60 ]
  %75 = and i64 %74, 1
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %84, label %77

77:
  %78 = fmul double %73, %71
  %79 = fmul double %72, %70
  %80 = fsub double %78, %79
  %81 = fmul double %72, %71
  %82 = fmul double %73, %70
  %83 = fadd double %81, %82
  br label %84

84:
  %85 = phi double [ %80, %77 ], [ %71, %69 ]
  %86 = phi double [ %83, %77 ], [ %70, %69 ]
  %87 = fmul double %73, %73
  %88 = fmul double %72, %72
  %89 = fsub double %87, %88
  %90 = fmul double %73, %72
  %91 = fadd double %90, %90
  %92 = lshr i64 %74, 1
  %93 = icmp eq i64 %92, 0
  br i1 %93, label %64, label %69
}
define internal { double, double } @gradir.body._FortranAzpowk(double %0, double %1, i64 %2) {
3:
  %4 = call { double, double } @gradir.library.d_whole_power(double %0, double %1, i64 %2)
  ret { double, double } %4
}
define internal ptr @gradir.d.new_tape() {
0:
  %1 = call ptr @calloc(i64 1, i64 40)
  ret ptr %1
}
declare ptr @calloc(i64, i64)
define internal void @gradir.d.release(ptr %0) {
1:
  %2 = icmp eq ptr %0, null
  br i1 %2, label %9, label %3

3:
  %4 = load ptr, ptr %0, align 8
  call void @free(ptr %4)
  %5 = getelementptr inbounds i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  call void @free(ptr %6)
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  call void @free(ptr %8)
  call void @free(ptr %0)
  br label %9

9:
  ret void
}
define internal ptr @gradir.d.keep(i64 %0, ptr %1, i64 %2) {
3:
  %4 = icmp slt i64 %0, 1
  br i1 %4, label %21, label %5

5:
  %6 = shl i64 %0, 3
  %7 = call ptr @malloc(i64 %6)
  %8 = icmp slt i64 %2, 0
  %9 = sub nsw i64 1, %0
  %10 = mul i64 %2, %9
  %11 = select i1 %8, i64 %10, i64 0
  %12 = getelementptr inbounds double, ptr %1, i64 %11
  br label %13

13:
  %14 = phi i64 [ 0, %5 ], [ %19, %13 ]
  %15 = mul nsw i64 %14, %2
  %16 = getelementptr inbounds double, ptr %12, i64 %15
  %17 = load double, ptr %16, align 8
  %18 = getelementptr inbounds double, ptr %7, i64 %14
  store double %17, ptr %18, align 8
  %19 = add nsw i64 %14, 1
  %20 = icmp eq i64 %19, %0
  br i1 %20, label %21, label %13

21:
  %22 = phi ptr [ null, %3 ], [ %7, %13 ]
  ret ptr %22
}
define internal ptr @gradir.d.keep_matrix(i64 %0, i64 %1, ptr %2, i64 %3) {
4:
  %5 = icmp slt i64 %0, 1
  %6 = icmp slt i64 %1, 1
  %7 = or i1 %5, %6
  br i1 %7, label %28, label %8

8:
  %9 = shl i64 %0, 3
  %10 = mul i64 %9, %1
  %11 = call ptr @malloc(i64 %10)
  br label %12

12:
  %13 = phi i64 [ 0, %8 ], [ %19, %18 ]
  %14 = mul nsw i64 %13, %3
  %15 = getelementptr double, ptr %2, i64 %14
  %16 = mul nsw i64 %13, %0
  %17 = getelementptr double, ptr %11, i64 %16
  br label %21

18:
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %1
  br i1 %20, label %28, label %12

21:
  %22 = phi i64 [ 0, %12 ], [ %26, %21 ]
  %23 = getelementptr double, ptr %15, i64 %22
  %24 = load double, ptr %23, align 8
  %25 = getelementptr double, ptr %17, i64 %22
  store double %24, ptr %25, align 8
  %26 = add nsw i64 %22, 1
  %27 = icmp eq i64 %26, %0
  br i1 %27, label %18, label %21

28:
  %29 = phi ptr [ null, %4 ], [ %11, %18 ]
  ret ptr %29
}
define internal ptr @gradir.d.room(i64 %0, i64 %1) {
2:
  %3 = icmp sgt i64 %0, 0
  %4 = icmp sgt i64 %1, 0
  %5 = and i1 %3, %4
  br i1 %5, label %6, label %9

6:
  %7 = mul nsw i64 %1, %0
  %8 = call ptr @calloc(i64 %7, i64 8)
  br label %9

9:
  %10 = phi ptr [ %8, %6 ], [ null, %2 ]
  ret ptr %10
}
define internal double @gradir.d.inner(i64 %0, i64 %1, ptr %2, i64 %3, ptr %4, i64 %5) {
6:
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %8, label %18

8:
  %9 = icmp sgt i64 %0, 0
  br label %10

10:
  %11 = phi i64 [ 0, %8 ], [ %22, %20 ]
  %12 = phi double [ 0.000000e+00, %8 ], [ %21, %20 ]
  br i1 %9, label %13, label %20

13:
  %14 = mul nsw i64 %11, %3
  %15 = getelementptr double, ptr %2, i64 %14
  %16 = mul nsw i64 %11, %5
  %17 = getelementptr double, ptr %4, i64 %16
  br label %24

18:
  %19 = phi double [ 0.000000e+00, %6 ], [ %21, %20 ]
  ret double %19

20:
  %21 = phi double [ %12, %10 ], [ %32, %24 ]
  %22 = add nsw i64 %11, 1
  %23 = icmp eq i64 %22, %1
  br i1 %23, label %18, label %10

24:
  %25 = phi i64 [ 0, %13 ], [ %33, %24 ]
  %26 = phi double [ %12, %13 ], [ %32, %24 ]
  %27 = getelementptr double, ptr %15, i64 %25
  %28 = load double, ptr %27, align 8
  %29 = getelementptr double, ptr %17, i64 %25
  %30 = load double, ptr %29, align 8
  %31 = fmul double %28, %30
  %32 = fadd double %26, %31
  %33 = add nsw i64 %25, 1
  %34 = icmp eq i64 %33, %0
  br i1 %34, label %20, label %24
}
define internal void @gradir.d.add(i64 %0, i64 %1, double %2, ptr %3, i64 %4, ptr %5, i64 %6) {
7:
  %8 = icmp sgt i64 %1, 0
  br i1 %8, label %9, label %18

9:
  %10 = icmp sgt i64 %0, 0
  br label %11

11:
  %12 = phi i64 [ 0, %9 ], [ %20, %19 ]
  br i1 %10, label %13, label %19

13:
  %14 = mul nsw i64 %12, %4
  %15 = getelementptr double, ptr %3, i64 %14
  %16 = mul nsw i64 %12, %6
  %17 = getelementptr double, ptr %5, i64 %16
  br label %22

18:
  ret void

19:
  %20 = add nsw i64 %12, 1
  %21 = icmp eq i64 %20, %1
  br i1 %21, label %18, label %11

22:
  %23 = phi i64 [ 0, %13 ], [ %30, %22 ]
  %24 = getelementptr double, ptr %15, i64 %23
  %25 = load double, ptr %24, align 8
  %26 = fmul double %2, %25
  %27 = getelementptr double, ptr %17, i64 %23
  %28 = load double, ptr %27, align 8
  %29 = fadd double %28, %26
  store double %29, ptr %27, align 8
  %30 = add nsw i64 %23, 1
  %31 = icmp eq i64 %30, %0
  br i1 %31, label %19, label %22
}
define internal void @gradir.d.scale(i64 %0, i64 %1, double %2, ptr %3, i64 %4) {
5:
  %6 = icmp sgt i64 %1, 0
  br i1 %6, label %7, label %15

7:
  %8 = icmp sgt i64 %0, 0
  %9 = fcmp oeq double %2, 0.000000e+00
  br label %10

10:
  %11 = phi i64 [ 0, %7 ], [ %17, %16 ]
  br i1 %8, label %12, label %16

12:
  %13 = mul nsw i64 %11, %4
  %14 = getelementptr double, ptr %3, i64 %13
  br label %19

15:
  ret void

16:
  %17 = add nsw i64 %11, 1
  %18 = icmp eq i64 %17, %1
  br i1 %18, label %15, label %10

19:
  %20 = phi i64 [ 0, %12 ], [ %28, %25 ]
  br i1 %9, label %25, label %21

21:
  %22 = getelementptr double, ptr %14, i64 %20
  %23 = load double, ptr %22, align 8
  %24 = fmul double %2, %23
  br label %25

25:
  %26 = phi double [ %24, %21 ], [ 0.000000e+00, %19 ]
  %27 = getelementptr double, ptr %14, i64 %20
  store double %26, ptr %27, align 8
  %28 = add nsw i64 %20, 1
  %29 = icmp eq i64 %28, %0
  br i1 %29, label %16, label %19
}
define internal void @gradir.d.add_triangle(i8 %0, i8 %1, i64 %2, double %3, ptr %4, i64 %5, ptr %6, i64 %7) {
8:
  %9 = icmp sgt i64 %2, 0
  br i1 %9, label %10, label %21

10:
  %11 = and i8 %0, -33
  %12 = icmp eq i8 %11, 85
  %13 = and i8 %1, -33
  %14 = icmp eq i8 %13, 85
  br label %15

15:
  %16 = phi i64 [ 0, %10 ], [ %23, %22 ]
  %17 = mul nsw i64 %16, %5
  %18 = getelementptr double, ptr %4, i64 %17
  %19 = mul nsw i64 %16, %7
  %20 = getelementptr double, ptr %6, i64 %19
  br label %25

21:
  ret void

22:
  %23 = add nsw i64 %16, 1
  %24 = icmp eq i64 %23, %2
  br i1 %24, label %21, label %15

25:
  %26 = phi i64 [ 0, %15 ], [ %42, %41 ]
  %27 = icmp eq i64 %26, %16
  br i1 %27, label %33, label %28

28:
  br i1 %12, label %29, label %31

29:
  %30 = icmp ult i64 %26, %16
  br i1 %30, label %34, label %41

31:
  %32 = icmp ugt i64 %26, %16
  br i1 %32, label %34, label %41

33:
  br i1 %14, label %41, label %34

34:
  %35 = getelementptr double, ptr %18, i64 %26
  %36 = load double, ptr %35, align 8
  %37 = fmul double %3, %36
  %38 = getelementptr double, ptr %20, i64 %26
  %39 = load double, ptr %38, align 8
  %40 = fadd double %39, %37
  store double %40, ptr %38, align 8
  br label %41

41:
  %42 = add nsw i64 %26, 1
  %43 = icmp eq i64 %42, %2
  br i1 %43, label %22, label %25
}
define internal void @gradir.d.add_folded(i8 %0, i64 %1, double %2, ptr %3, i64 %4, ptr %5, i64 %6) {
7:
  %8 = icmp sgt i64 %1, 0
  br i1 %8, label %9, label %20

9:
  %10 = and i8 %0, -33
  %11 = icmp eq i8 %10, 85
  br label %12

12:
  %13 = phi i64 [ 0, %9 ], [ %22, %21 ]
  %14 = mul nsw i64 %13, %4
  %15 = getelementptr double, ptr %3, i64 %14
  %16 = getelementptr double, ptr %3, i64 %13
  %17 = mul nsw i64 %13, %6
  %18 = getelementptr double, ptr %5, i64 %17
  %19 = getelementptr double, ptr %15, i64 %13
  br label %24

20:
  ret void

21:
  %22 = add nsw i64 %13, 1
  %23 = icmp eq i64 %22, %1
  br i1 %23, label %20, label %12

24:
  %25 = phi i64 [ 0, %12 ], [ %47, %46 ]
  %26 = icmp eq i64 %25, %13
  br i1 %26, label %31, label %27

27:
  %28 = icmp ule i64 %25, %13
  %29 = icmp uge i64 %25, %13
  %30 = select i1 %11, i1 %29, i1 %28
  br i1 %30, label %46, label %33

31:
  %32 = load double, ptr %19, align 8
  br label %40

33:
  %34 = getelementptr double, ptr %15, i64 %25
  %35 = load double, ptr %34, align 8
  %36 = mul nsw i64 %25, %4
  %37 = getelementptr double, ptr %16, i64 %36
  %38 = load double, ptr %37, align 8
  %39 = fadd double %35, %38
  br label %40

40:
  %41 = phi double [ %32, %31 ], [ %39, %33 ]
  %42 = fmul double %2, %41
  %43 = getelementptr double, ptr %18, i64 %25
  %44 = load double, ptr %43, align 8
  %45 = fadd double %44, %42
  store double %45, ptr %43, align 8
  br label %46

46:
  %47 = add nsw i64 %25, 1
  %48 = icmp eq i64 %47, %1
  br i1 %48, label %21, label %24
}
define internal ptr @gradir.d.unfolded(i8 %0, i64 %1, ptr %2, i64 %3) {
4:
  %5 = call ptr @gradir.d.room(i64 %1, i64 %1)
  %6 = icmp sgt i64 %1, 0
  br i1 %6, label %7, label %17

7:
  %8 = and i8 %0, -33
  %9 = icmp eq i8 %8, 85
  br label %10

10:
  %11 = phi i64 [ 0, %7 ], [ %19, %18 ]
  %12 = mul nsw i64 %11, %3
  %13 = getelementptr double, ptr %2, i64 %12
  %14 = mul nsw i64 %11, %1
  %15 = getelementptr double, ptr %5, i64 %14
  %16 = getelementptr double, ptr %5, i64 %11
  br label %21

17:
  ret ptr %5

18:
  %19 = add nsw i64 %11, 1
  %20 = icmp eq i64 %19, %1
  br i1 %20, label %17, label %10

21:
  %22 = phi i64 [ 0, %10 ], [ %39, %38 ]
  %23 = icmp eq i64 %22, %11
  br i1 %23, label %28, label %24

24:
  %25 = icmp ule i64 %22, %11
  %26 = icmp uge i64 %22, %11
  %27 = select i1 %9, i1 %26, i1 %25
  br i1 %27, label %38, label %28

28:
  %29 = getelementptr double, ptr %13, i64 %22
  %30 = load double, ptr %29, align 8
  %31 = getelementptr double, ptr %15, i64 %22
  %32 = load double, ptr %31, align 8
  %33 = fadd double %30, %32
  store double %33, ptr %31, align 8
  %34 = mul nsw i64 %22, %1
  %35 = getelementptr double, ptr %16, i64 %34
  %36 = load double, ptr %35, align 8
  %37 = fadd double %30, %36
  store double %37, ptr %35, align 8
  br label %38

38:
  %39 = add nsw i64 %22, 1
  %40 = icmp eq i64 %39, %1
  br i1 %40, label %18, label %21
}
define internal ptr @gradir.d.dot.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  %9 = call double @gradir.d.blas.dot(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  store double %9, ptr %7, align 8
  %10 = call ptr @gradir.d.new_tape()
  %11 = icmp eq ptr %5, null
  br i1 %11, label %14, label %12

12:
  %13 = call ptr @gradir.d.keep(i64 %0, ptr %1, i64 %3)
  store ptr %13, ptr %10, align 8
  br label %14

14:
  %15 = icmp eq ptr %2, null
  br i1 %15, label %19, label %16

16:
  %17 = call ptr @gradir.d.keep(i64 %0, ptr %4, i64 %6)
  %18 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %17, ptr %18, align 8
  br label %19

19:
  ret ptr %10
}
declare double @gradir.d.blas.dot(i64, ptr, i64, ptr, i64)
define internal void @gradir.d.dot.reverse(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, double %7, ptr %8) {
9:
  %10 = icmp eq ptr %2, null
  br i1 %10, label %14, label %11

11:
  %12 = getelementptr inbounds i8, ptr %8, i64 8
  %13 = load ptr, ptr %12, align 8
  call void @gradir.d.blas.axpy(i64 %0, double %7, ptr %13, i64 1, ptr %2, i64 %3)
  br label %14

14:
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  %17 = load ptr, ptr %8, align 8
  call void @gradir.d.blas.axpy(i64 %0, double %7, ptr %17, i64 1, ptr %5, i64 %6)
  br label %18

18:
  call void @gradir.d.release(ptr %8)
  ret void
}
declare void @gradir.d.blas.axpy(i64, double, ptr, i64, ptr, i64)
define internal double @gradir.d.dot.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  %9 = call double @gradir.d.blas.dot(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  store double %9, ptr %7, align 8
  %10 = icmp eq ptr %2, null
  br i1 %10, label %13, label %11

11:
  %12 = call double @gradir.d.blas.dot(i64 %0, ptr %2, i64 %3, ptr %4, i64 %6)
  br label %13

13:
  %14 = phi double [ %12, %11 ], [ 0.000000e+00, %8 ]
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  %17 = call double @gradir.d.blas.dot(i64 %0, ptr %1, i64 %3, ptr %5, i64 %6)
  br label %18

18:
  %19 = phi double [ %17, %16 ], [ 0.000000e+00, %13 ]
  %20 = fadd double %14, %19
  ret double %20
}
define internal ptr @gradir.d.nrm2.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4) {
5:
  %6 = call double @gradir.d.blas.nrm2(i64 %0, ptr %1, i64 %3)
  store double %6, ptr %4, align 8
  %7 = call ptr @gradir.d.new_tape()
  %8 = icmp eq ptr %2, null
  br i1 %8, label %13, label %9

9:
  %10 = call ptr @gradir.d.keep(i64 %0, ptr %1, i64 %3)
  store ptr %10, ptr %7, align 8
  %11 = call ptr @gradir.d.keep(i64 1, ptr %4, i64 1)
  %12 = getelementptr inbounds i8, ptr %7, i64 8
  store ptr %11, ptr %12, align 8
  br label %13

13:
  ret ptr %7
}
declare double @gradir.d.blas.nrm2(i64, ptr, i64)
define internal void @gradir.d.nrm2.reverse(i64 %0, ptr %1, ptr %2, i64 %3, double %4, ptr %5) {
6:
  %7 = icmp ne ptr %2, null
  %8 = icmp sgt i64 %0, 0
  %9 = and i1 %8, %7
  br i1 %9, label %10, label %18

10:
  %11 = getelementptr inbounds i8, ptr %5, i64 8
  %12 = load ptr, ptr %11, align 8
  %13 = load double, ptr %12, align 8
  %14 = fcmp une double %13, 0.000000e+00
  br i1 %14, label %15, label %18

15:
  %16 = fdiv double %4, %13
  %17 = load ptr, ptr %5, align 8
  call void @gradir.d.blas.axpy(i64 %0, double %16, ptr %17, i64 1, ptr %2, i64 %3)
  br label %18

18:
  call void @gradir.d.release(ptr %5)
  ret void
}
define internal double @gradir.d.nrm2.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4) {
5:
  %6 = call double @gradir.d.blas.nrm2(i64 %0, ptr %1, i64 %3)
  store double %6, ptr %4, align 8
  %7 = icmp ne ptr %2, null
  %8 = fcmp une double %6, 0.000000e+00
  %9 = select i1 %7, i1 %8, i1 false
  br i1 %9, label %10, label %14

10:
  %11 = call double @gradir.d.blas.dot(i64 %0, ptr %1, i64 %3, ptr %2, i64 %3)
  %12 = load double, ptr %4, align 8
  %13 = fdiv double %11, %12
  br label %14

14:
  %15 = phi double [ %13, %10 ], [ 0.000000e+00, %5 ]
  ret double %15
}
define internal ptr @gradir.d.asum.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4) {
5:
  %6 = call double @gradir.d.blas.asum(i64 %0, ptr %1, i64 %3)
  store double %6, ptr %4, align 8
  %7 = call ptr @gradir.d.new_tape()
  %8 = icmp eq ptr %2, null
  br i1 %8, label %11, label %9

9:
  %10 = call ptr @gradir.d.keep(i64 %0, ptr %1, i64 %3)
  store ptr %10, ptr %7, align 8
  br label %11

11:
  ret ptr %7
}
declare double @gradir.d.blas.asum(i64, ptr, i64)
define internal void @gradir.d.asum.reverse(i64 %0, ptr %1, ptr %2, i64 %3, double %4, ptr %5) {
6:
  %7 = icmp ne ptr %2, null
  %8 = icmp sgt i64 %3, 0
  %9 = and i1 %7, %8
  br i1 %9, label %10, label %15

10:
  %11 = call i64 @llvm.smax.i64(i64 %0, i64 0)
  %12 = icmp slt i64 %0, 1
  br i1 %12, label %15, label %13

13:
  %14 = load ptr, ptr %5, align 8
  br label %16

15:
  call void @gradir.d.release(ptr %5)
  ret void

16:
  %17 = phi i64 [ %29, %16 ], [ 0, %13 ]
  %18 = getelementptr inbounds double, ptr %14, i64 %17
  %19 = load double, ptr %18, align 8
  %20 = fcmp ogt double %19, 0.000000e+00
  %21 = fcmp olt double %19, 0.000000e+00
  %22 = sitofp i1 %21 to double
  %23 = select i1 %20, double 1.000000e+00, double %22
  %24 = fmul double %4, %23
  %25 = mul nsw i64 %17, %3
  %26 = getelementptr inbounds double, ptr %2, i64 %25
  %27 = load double, ptr %26, align 8
  %28 = fadd double %27, %24
  store double %28, ptr %26, align 8
  %29 = add i64 %17, 1
  %30 = icmp eq i64 %29, %11
  br i1 %30, label %15, label %16
}
define internal double @gradir.d.asum.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4) {
5:
  %6 = call double @gradir.d.blas.asum(i64 %0, ptr %1, i64 %3)
  store double %6, ptr %4, align 8
  %7 = icmp eq ptr %2, null
  br i1 %7, label %12, label %8

8:
  %9 = icmp sgt i64 %3, 0
  %10 = icmp sgt i64 %0, 0
  %11 = and i1 %9, %10
  br i1 %11, label %14, label %12

12:
  %13 = phi double [ 0.000000e+00, %5 ], [ 0.000000e+00, %8 ], [ %27, %14 ]
  ret double %13

14:
  %15 = phi double [ %27, %14 ], [ 0.000000e+00, %8 ]
  %16 = phi i64 [ %28, %14 ], [ 0, %8 ]
  %17 = mul nsw i64 %16, %3
  %18 = getelementptr inbounds double, ptr %2, i64 %17
  %19 = load double, ptr %18, align 8
  %20 = getelementptr inbounds double, ptr %1, i64 %17
  %21 = load double, ptr %20, align 8
  %22 = fcmp ogt double %21, 0.000000e+00
  %23 = fcmp olt double %21, 0.000000e+00
  %24 = sitofp i1 %23 to double
  %25 = select i1 %22, double 1.000000e+00, double %24
  %26 = fmul double %19, %25
  %27 = fadd double %15, %26
  %28 = add nsw i64 %16, 1
  %29 = icmp slt i64 %28, %0
  %30 = and i1 %9, %29
  br i1 %30, label %14, label %12
}
define internal ptr @gradir.d.axpy.augmented(i64 %0, double %1, ptr %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8) {
9:
  %10 = call ptr @gradir.d.new_tape()
  %11 = icmp ne ptr %2, null
  %12 = icmp ne ptr %7, null
  %13 = and i1 %11, %12
  br i1 %13, label %14, label %16

14:
  %15 = call ptr @gradir.d.keep(i64 %0, ptr %3, i64 %5)
  store ptr %15, ptr %10, align 8
  br label %16

16:
  call void @gradir.d.blas.axpy(i64 %0, double %1, ptr %3, i64 %5, ptr %6, i64 %8)
  ret ptr %10
}
define internal void @gradir.d.axpy.reverse(i64 %0, double %1, ptr %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9) {
10:
  %11 = icmp ne ptr %7, null
  %12 = icmp ne ptr %2, null
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %19

14:
  %15 = load ptr, ptr %9, align 8
  %16 = call double @gradir.d.blas.dot(i64 %0, ptr %15, i64 1, ptr %7, i64 %8)
  %17 = load double, ptr %2, align 8
  %18 = fadd double %16, %17
  store double %18, ptr %2, align 8
  br label %19

19:
  %20 = icmp ne ptr %4, null
  %21 = and i1 %20, %11
  br i1 %21, label %22, label %23

22:
  call void @gradir.d.blas.axpy(i64 %0, double %1, ptr %7, i64 %8, ptr %4, i64 %5)
  br label %23

23:
  call void @gradir.d.release(ptr %9)
  ret void
}
define internal void @gradir.d.axpy.forward(i64 %0, double %1, double %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8) {
9:
  %10 = icmp ne ptr %7, null
  %11 = fcmp une double %2, 0.000000e+00
  %12 = and i1 %11, %10
  br i1 %12, label %13, label %14

13:
  call void @gradir.d.blas.axpy(i64 %0, double %2, ptr %3, i64 %5, ptr %7, i64 %8)
  br label %14

14:
  %15 = icmp ne ptr %4, null
  %16 = and i1 %15, %10
  br i1 %16, label %17, label %18

17:
  call void @gradir.d.blas.axpy(i64 %0, double %1, ptr %4, i64 %5, ptr %7, i64 %8)
  br label %18

18:
  call void @gradir.d.blas.axpy(i64 %0, double %1, ptr %3, i64 %5, ptr %6, i64 %8)
  ret void
}
define internal ptr @gradir.d.scal.augmented(i64 %0, double %1, ptr %2, ptr %3, ptr %4, i64 %5) {
6:
  %7 = call ptr @gradir.d.new_tape()
  %8 = icmp ne ptr %2, null
  %9 = icmp ne ptr %4, null
  %10 = and i1 %8, %9
  br i1 %10, label %11, label %13

11:
  %12 = call ptr @gradir.d.keep(i64 %0, ptr %3, i64 %5)
  store ptr %12, ptr %7, align 8
  br label %13

13:
  call void @gradir.d.blas.scal(i64 %0, double %1, ptr %3, i64 %5)
  ret ptr %7
}
declare void @gradir.d.blas.scal(i64, double, ptr, i64)
define internal void @gradir.d.scal.reverse(i64 %0, double %1, ptr %2, ptr %3, ptr %4, i64 %5, ptr %6) {
7:
  %8 = icmp ne ptr %4, null
  %9 = icmp ne ptr %2, null
  %10 = icmp sgt i64 %5, 0
  %11 = and i1 %9, %10
  %12 = and i1 %8, %11
  br i1 %12, label %13, label %18

13:
  %14 = load ptr, ptr %6, align 8
  %15 = call double @gradir.d.blas.dot(i64 %0, ptr %14, i64 1, ptr %4, i64 %5)
  %16 = load double, ptr %2, align 8
  %17 = fadd double %15, %16
  store double %17, ptr %2, align 8
  br label %19

18:
  br i1 %8, label %19, label %20

19:
  call void @gradir.d.blas.scal(i64 %0, double %1, ptr %4, i64 %5)
  br label %20

20:
  call void @gradir.d.release(ptr %6)
  ret void
}
define internal void @gradir.d.scal.forward(i64 %0, double %1, double %2, ptr %3, ptr %4, i64 %5) {
6:
  %7 = icmp eq ptr %4, null
  br i1 %7, label %13, label %8

8:
  call void @gradir.d.blas.scal(i64 %0, double %1, ptr %4, i64 %5)
  %9 = fcmp une double %2, 0.000000e+00
  %10 = icmp sgt i64 %5, 0
  %11 = and i1 %9, %10
  br i1 %11, label %12, label %13

12:
  call void @gradir.d.blas.axpy(i64 %0, double %2, ptr %3, i64 %5, ptr %4, i64 %5)
  br label %13

13:
  call void @gradir.d.blas.scal(i64 %0, double %1, ptr %3, i64 %5)
  ret void
}
define internal void @gradir.d.scale_vector(i64 %0, double %1, ptr %2, i64 %3) {
4:
  %5 = call i64 @llvm.abs.i64(i64 %3, i1 true)
  call void @gradir.d.blas.scal(i64 %0, double %1, ptr %2, i64 %5)
  ret void
}
define internal void @gradir.d.clear(i64 %0, ptr %1, i64 %2) {
3:
  %4 = icmp slt i64 %2, 0
  %5 = sub i64 1, %0
  %6 = mul i64 %2, %5
  %7 = select i1 %4, i64 %6, i64 0
  %8 = getelementptr inbounds double, ptr %1, i64 %7
  %9 = icmp sgt i64 %0, 0
  br i1 %9, label %11, label %10

10:
  ret void

11:
  %12 = phi i64 [ %15, %11 ], [ 0, %3 ]
  %13 = mul nsw i64 %12, %2
  %14 = getelementptr inbounds double, ptr %8, i64 %13
  store double 0.000000e+00, ptr %14, align 8
  %15 = add nsw i64 %12, 1
  %16 = icmp eq i64 %15, %0
  br i1 %16, label %10, label %11
}
define internal ptr @gradir.d.copy.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6) {
7:
  call void @gradir.d.blas.copy(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  ret ptr null
}
declare void @gradir.d.blas.copy(i64, ptr, i64, ptr, i64)
define internal void @gradir.d.copy.reverse(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  %9 = icmp eq ptr %5, null
  br i1 %9, label %14, label %10

10:
  %11 = icmp eq ptr %2, null
  br i1 %11, label %13, label %12

12:
  call void @gradir.d.blas.axpy(i64 %0, double 1.000000e+00, ptr %5, i64 %6, ptr %2, i64 %3)
  br label %13

13:
  call void @gradir.d.clear(i64 %0, ptr %5, i64 %6)
  br label %14

14:
  ret void
}
define internal void @gradir.d.copy.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6) {
7:
  %8 = icmp ne ptr %5, null
  %9 = icmp ne ptr %2, null
  %10 = and i1 %9, %8
  br i1 %10, label %11, label %12

11:
  call void @gradir.d.blas.copy(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6)
  br label %16

12:
  %13 = icmp eq ptr %5, null
  %14 = or i1 %9, %13
  br i1 %14, label %16, label %15

15:
  call void @gradir.d.clear(i64 %0, ptr %5, i64 %6)
  br label %16

16:
  call void @gradir.d.blas.copy(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  ret void
}
define internal void @gradir.d.swap_shadows(i64 %0, ptr %1, i64 %2, ptr %3, i64 %4) {
5:
  %6 = icmp ne ptr %1, null
  %7 = icmp ne ptr %3, null
  %8 = and i1 %6, %7
  br i1 %8, label %9, label %10

9:
  call void @gradir.d.blas.swap(i64 %0, ptr %1, i64 %2, ptr %3, i64 %4)
  br label %14

10:
  br i1 %6, label %11, label %12

11:
  call void @gradir.d.clear(i64 %0, ptr %1, i64 %2)
  br label %14

12:
  br i1 %7, label %13, label %14

13:
  call void @gradir.d.clear(i64 %0, ptr %3, i64 %4)
  br label %14

14:
  ret void
}
declare void @gradir.d.blas.swap(i64, ptr, i64, ptr, i64)
define internal ptr @gradir.d.swap.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6) {
7:
  call void @gradir.d.blas.swap(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  ret ptr null
}
define internal void @gradir.d.swap.reverse(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  call void @gradir.d.swap_shadows(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6)
  ret void
}
define internal void @gradir.d.swap.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6) {
7:
  call void @gradir.d.swap_shadows(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6)
  call void @gradir.d.blas.swap(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  ret void
}
define internal void @gradir.d.rotate_shadows(i64 %0, ptr %1, i64 %2, ptr %3, i64 %4, double %5, double %6) {
7:
  %8 = icmp ne ptr %1, null
  %9 = icmp ne ptr %3, null
  %10 = and i1 %8, %9
  br i1 %10, label %11, label %12

11:
  call void @gradir.d.blas.rot(i64 %0, ptr %1, i64 %2, ptr %3, i64 %4, double %5, double %6)
  br label %16

12:
  br i1 %8, label %13, label %14

13:
  call void @gradir.d.scale_vector(i64 %0, double %5, ptr %1, i64 %2)
  br label %16

14:
  br i1 %9, label %15, label %16

15:
  call void @gradir.d.scale_vector(i64 %0, double %5, ptr %3, i64 %4)
  br label %16

16:
  ret void
}
declare void @gradir.d.blas.rot(i64, ptr, i64, ptr, i64, double, double)
define internal ptr @gradir.d.rot.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, double %7, ptr %8, double %9, ptr %10) {
11:
  %12 = call ptr @gradir.d.new_tape()
  %13 = icmp ne ptr %8, null
  %14 = icmp ne ptr %10, null
  %15 = or i1 %13, %14
  br i1 %15, label %16, label %24

16:
  %17 = icmp ne ptr %2, null
  %18 = icmp ne ptr %5, null
  %19 = or i1 %17, %18
  br i1 %19, label %20, label %24

20:
  %21 = call ptr @gradir.d.keep(i64 %0, ptr %1, i64 %3)
  store ptr %21, ptr %12, align 8
  %22 = call ptr @gradir.d.keep(i64 %0, ptr %4, i64 %6)
  %23 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %22, ptr %23, align 8
  br label %24

24:
  call void @gradir.d.blas.rot(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6, double %7, double %9)
  ret ptr %12
}
define internal void @gradir.d.rot.reverse(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, double %7, ptr %8, double %9, ptr %10, ptr %11) {
12:
  %13 = icmp ne ptr %8, null
  %14 = icmp ne ptr %2, null
  %15 = and i1 %14, %13
  br i1 %15, label %16, label %21

16:
  %17 = load ptr, ptr %11, align 8
  %18 = call double @gradir.d.blas.dot(i64 %0, ptr %2, i64 %3, ptr %17, i64 1)
  %19 = load double, ptr %8, align 8
  %20 = fadd double %18, %19
  store double %20, ptr %8, align 8
  br label %21

21:
  %22 = icmp ne ptr %5, null
  %23 = and i1 %22, %13
  br i1 %23, label %24, label %30

24:
  %25 = getelementptr inbounds i8, ptr %11, i64 8
  %26 = load ptr, ptr %25, align 8
  %27 = call double @gradir.d.blas.dot(i64 %0, ptr %5, i64 %6, ptr %26, i64 1)
  %28 = load double, ptr %8, align 8
  %29 = fadd double %27, %28
  store double %29, ptr %8, align 8
  br label %30

30:
  %31 = icmp ne ptr %10, null
  %32 = and i1 %14, %31
  br i1 %32, label %33, label %39

33:
  %34 = getelementptr inbounds i8, ptr %11, i64 8
  %35 = load ptr, ptr %34, align 8
  %36 = call double @gradir.d.blas.dot(i64 %0, ptr %2, i64 %3, ptr %35, i64 1)
  %37 = load double, ptr %10, align 8
  %38 = fadd double %36, %37
  store double %38, ptr %10, align 8
  br label %39

39:
  %40 = and i1 %22, %31
  br i1 %40, label %41, label %46

41:
  %42 = load ptr, ptr %11, align 8
  %43 = call double @gradir.d.blas.dot(i64 %0, ptr %5, i64 %6, ptr %42, i64 1)
  %44 = load double, ptr %10, align 8
  %45 = fsub double %44, %43
  store double %45, ptr %10, align 8
  br label %46

46:
  %47 = fneg double %9
  call void @gradir.d.rotate_shadows(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6, double %7, double %47)
  call void @gradir.d.release(ptr %11)
  ret void
}
define internal void @gradir.d.rot.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, double %7, double %8, double %9, double %10) {
11:
  call void @gradir.d.rotate_shadows(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6, double %7, double %9)
  %12 = icmp eq ptr %2, null
  br i1 %12, label %14, label %13

13:
  call void @gradir.d.blas.axpy(i64 %0, double %8, ptr %1, i64 %3, ptr %2, i64 %3)
  call void @gradir.d.blas.axpy(i64 %0, double %10, ptr %4, i64 %6, ptr %2, i64 %3)
  br label %14

14:
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  call void @gradir.d.blas.axpy(i64 %0, double %8, ptr %4, i64 %6, ptr %5, i64 %6)
  %17 = fneg double %10
  call void @gradir.d.blas.axpy(i64 %0, double %17, ptr %1, i64 %3, ptr %5, i64 %6)
  br label %18

18:
  call void @gradir.d.blas.rot(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6, double %7, double %9)
  ret void
}
define internal ptr @gradir.d.gemv.augmented(i8 %0, i64 %1, i64 %2, double %3, ptr %4, ptr %5, ptr %6, i64 %7, ptr %8, ptr %9, i64 %10, double %11, ptr %12, ptr %13, ptr %14, i64 %15) {
16:
  %17 = call ptr @gradir.d.new_tape()
  %18 = and i8 %0, -33
  %19 = icmp eq i8 %18, 78
  %20 = select i1 %19, i64 %2, i64 %1
  %21 = select i1 %19, i64 %1, i64 %2
  %22 = icmp eq ptr %14, null
  br i1 %22, label %40, label %23

23:
  %24 = icmp ne ptr %9, null
  %25 = icmp ne ptr %4, null
  %26 = or i1 %25, %24
  br i1 %26, label %27, label %29

27:
  %28 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %2, ptr %5, i64 %7)
  store ptr %28, ptr %17, align 8
  br label %29

29:
  %30 = icmp ne ptr %6, null
  %31 = or i1 %25, %30
  br i1 %31, label %32, label %35

32:
  %33 = call ptr @gradir.d.keep(i64 %20, ptr %8, i64 %10)
  %34 = getelementptr inbounds i8, ptr %17, i64 8
  store ptr %33, ptr %34, align 8
  br label %35

35:
  %36 = icmp eq ptr %12, null
  br i1 %36, label %40, label %37

37:
  %38 = call ptr @gradir.d.keep(i64 %21, ptr %13, i64 %15)
  %39 = getelementptr inbounds i8, ptr %17, i64 16
  store ptr %38, ptr %39, align 8
  br label %40

40:
  call void @gradir.d.blas.gemv(i8 %0, i64 %1, i64 %2, double %3, ptr %5, i64 %7, ptr %8, i64 %10, double %11, ptr %13, i64 %15)
  ret ptr %17
}
declare void @gradir.d.blas.gemv(i8, i64, i64, double, ptr, i64, ptr, i64, double, ptr, i64)
define internal void @gradir.d.gemv.reverse(i8 %0, i64 %1, i64 %2, double %3, ptr %4, ptr %5, ptr %6, i64 %7, ptr %8, ptr %9, i64 %10, double %11, ptr %12, ptr %13, ptr %14, i64 %15, ptr %16) {
17:
  %18 = and i8 %0, -33
  %19 = icmp eq i8 %18, 78
  %20 = select i1 %19, i64 %2, i64 %1
  %21 = select i1 %19, i64 %1, i64 %2
  %22 = icmp ne ptr %14, null
  %23 = icmp sgt i64 %1, 0
  %24 = and i1 %23, %22
  %25 = icmp sgt i64 %2, 0
  %26 = and i1 %25, %24
  br i1 %26, label %27, label %60

27:
  %28 = icmp ne ptr %9, null
  %29 = icmp ne ptr %4, null
  %30 = or i1 %29, %28
  br i1 %30, label %31, label %44

31:
  %32 = call ptr @gradir.d.room(i64 %20, i64 1)
  %33 = select i1 %19, i8 84, i8 78
  %34 = load ptr, ptr %16, align 8
  call void @gradir.d.blas.gemv(i8 %33, i64 %1, i64 %2, double 1.000000e+00, ptr %34, i64 %1, ptr %14, i64 %15, double 0.000000e+00, ptr %32, i64 1)
  br i1 %28, label %35, label %36

35:
  call void @gradir.d.blas.axpy(i64 %20, double %3, ptr %32, i64 1, ptr %9, i64 %10)
  br label %36

36:
  br i1 %29, label %37, label %43

37:
  %38 = getelementptr inbounds i8, ptr %16, i64 8
  %39 = load ptr, ptr %38, align 8
  %40 = call double @gradir.d.blas.dot(i64 %20, ptr %32, i64 1, ptr %39, i64 1)
  %41 = load double, ptr %4, align 8
  %42 = fadd double %40, %41
  store double %42, ptr %4, align 8
  br label %43

43:
  call void @free(ptr %32)
  br label %44

44:
  %45 = icmp eq ptr %6, null
  br i1 %45, label %51, label %46

46:
  %47 = getelementptr inbounds i8, ptr %16, i64 8
  %48 = load ptr, ptr %47, align 8
  br i1 %19, label %50, label %49

49:
  call void @gradir.d.blas.ger(i64 %1, i64 %2, double %3, ptr %48, i64 1, ptr %14, i64 %15, ptr %6, i64 %7)
  br label %51

50:
  call void @gradir.d.blas.ger(i64 %1, i64 %2, double %3, ptr %14, i64 %15, ptr %48, i64 1, ptr %6, i64 %7)
  br label %51

51:
  %52 = icmp eq ptr %12, null
  br i1 %52, label %59, label %53

53:
  %54 = getelementptr inbounds i8, ptr %16, i64 16
  %55 = load ptr, ptr %54, align 8
  %56 = call double @gradir.d.blas.dot(i64 %21, ptr %55, i64 1, ptr %14, i64 %15)
  %57 = load double, ptr %12, align 8
  %58 = fadd double %56, %57
  store double %58, ptr %12, align 8
  br label %59

59:
  call void @gradir.d.scale_vector(i64 %21, double %11, ptr %14, i64 %15)
  br label %60

60:
  call void @gradir.d.release(ptr %16)
  ret void
}
declare void @gradir.d.blas.ger(i64, i64, double, ptr, i64, ptr, i64, ptr, i64)
define internal void @gradir.d.gemv.forward(i8 %0, i64 %1, i64 %2, double %3, double %4, ptr %5, ptr %6, i64 %7, ptr %8, ptr %9, i64 %10, double %11, double %12, ptr %13, ptr %14, i64 %15) {
16:
  %17 = icmp ne ptr %14, null
  %18 = icmp sgt i64 %1, 0
  %19 = and i1 %18, %17
  %20 = icmp sgt i64 %2, 0
  %21 = and i1 %20, %19
  br i1 %21, label %22, label %37

22:
  %23 = and i8 %0, -33
  %24 = icmp eq i8 %23, 78
  %25 = select i1 %24, i64 %1, i64 %2
  call void @gradir.d.scale_vector(i64 %25, double %11, ptr %14, i64 %15)
  %26 = fcmp une double %12, 0.000000e+00
  br i1 %26, label %27, label %28

27:
  call void @gradir.d.blas.axpy(i64 %25, double %12, ptr %13, i64 %15, ptr %14, i64 %15)
  br label %28

28:
  %29 = fcmp une double %4, 0.000000e+00
  br i1 %29, label %30, label %31

30:
  call void @gradir.d.blas.gemv(i8 %0, i64 %1, i64 %2, double %4, ptr %5, i64 %7, ptr %8, i64 %10, double 1.000000e+00, ptr %14, i64 %15)
  br label %31

31:
  %32 = icmp eq ptr %6, null
  br i1 %32, label %34, label %33

33:
  call void @gradir.d.blas.gemv(i8 %0, i64 %1, i64 %2, double %3, ptr %6, i64 %7, ptr %8, i64 %10, double 1.000000e+00, ptr %14, i64 %15)
  br label %34

34:
  %35 = icmp eq ptr %9, null
  br i1 %35, label %37, label %36

36:
  call void @gradir.d.blas.gemv(i8 %0, i64 %1, i64 %2, double %3, ptr %5, i64 %7, ptr %9, i64 %10, double 1.000000e+00, ptr %14, i64 %15)
  br label %37

37:
  call void @gradir.d.blas.gemv(i8 %0, i64 %1, i64 %2, double %3, ptr %5, i64 %7, ptr %8, i64 %10, double %11, ptr %13, i64 %15)
  ret void
}
define internal ptr @gradir.d.symv.augmented(i8 %0, i64 %1, double %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, double %10, ptr %11, ptr %12, ptr %13, i64 %14) {
15:
  %16 = call ptr @gradir.d.new_tape()
  %17 = icmp eq ptr %13, null
  br i1 %17, label %35, label %18

18:
  %19 = icmp ne ptr %8, null
  %20 = icmp ne ptr %3, null
  %21 = or i1 %20, %19
  br i1 %21, label %22, label %24

22:
  %23 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %1, ptr %4, i64 %6)
  store ptr %23, ptr %16, align 8
  br label %24

24:
  %25 = icmp ne ptr %5, null
  %26 = or i1 %20, %25
  br i1 %26, label %27, label %30

27:
  %28 = call ptr @gradir.d.keep(i64 %1, ptr %7, i64 %9)
  %29 = getelementptr inbounds i8, ptr %16, i64 8
  store ptr %28, ptr %29, align 8
  br label %30

30:
  %31 = icmp eq ptr %11, null
  br i1 %31, label %35, label %32

32:
  %33 = call ptr @gradir.d.keep(i64 %1, ptr %12, i64 %14)
  %34 = getelementptr inbounds i8, ptr %16, i64 16
  store ptr %33, ptr %34, align 8
  br label %35

35:
  call void @gradir.d.blas.symv(i8 %0, i64 %1, double %2, ptr %4, i64 %6, ptr %7, i64 %9, double %10, ptr %12, i64 %14)
  ret ptr %16
}
declare void @gradir.d.blas.symv(i8, i64, double, ptr, i64, ptr, i64, double, ptr, i64)
define internal void @gradir.d.symv.reverse(i8 %0, i64 %1, double %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, double %10, ptr %11, ptr %12, ptr %13, i64 %14, ptr %15) {
16:
  %17 = icmp ne ptr %13, null
  %18 = icmp sgt i64 %1, 0
  %19 = and i1 %18, %17
  br i1 %19, label %20, label %52

20:
  %21 = call ptr @gradir.d.keep(i64 %1, ptr %13, i64 %14)
  %22 = icmp ne ptr %8, null
  %23 = icmp ne ptr %3, null
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %37

25:
  %26 = call ptr @gradir.d.room(i64 %1, i64 1)
  %27 = load ptr, ptr %15, align 8
  call void @gradir.d.blas.symv(i8 %0, i64 %1, double 1.000000e+00, ptr %27, i64 %1, ptr %21, i64 1, double 0.000000e+00, ptr %26, i64 1)
  br i1 %22, label %28, label %29

28:
  call void @gradir.d.blas.axpy(i64 %1, double %2, ptr %26, i64 1, ptr %8, i64 %9)
  br label %29

29:
  br i1 %23, label %30, label %36

30:
  %31 = getelementptr inbounds i8, ptr %15, i64 8
  %32 = load ptr, ptr %31, align 8
  %33 = call double @gradir.d.blas.dot(i64 %1, ptr %26, i64 1, ptr %32, i64 1)
  %34 = load double, ptr %3, align 8
  %35 = fadd double %33, %34
  store double %35, ptr %3, align 8
  br label %36

36:
  call void @free(ptr %26)
  br label %37

37:
  %38 = icmp eq ptr %5, null
  br i1 %38, label %43, label %39

39:
  %40 = call ptr @gradir.d.room(i64 %1, i64 %1)
  %41 = getelementptr inbounds i8, ptr %15, i64 8
  %42 = load ptr, ptr %41, align 8
  call void @gradir.d.blas.ger(i64 %1, i64 %1, double 1.000000e+00, ptr %21, i64 1, ptr %42, i64 1, ptr %40, i64 %1)
  call void @gradir.d.add_folded(i8 %0, i64 %1, double %2, ptr %40, i64 %1, ptr %5, i64 %6)
  call void @free(ptr %40)
  br label %43

43:
  %44 = icmp eq ptr %11, null
  br i1 %44, label %51, label %45

45:
  %46 = getelementptr inbounds i8, ptr %15, i64 16
  %47 = load ptr, ptr %46, align 8
  %48 = call double @gradir.d.blas.dot(i64 %1, ptr %47, i64 1, ptr %21, i64 1)
  %49 = load double, ptr %11, align 8
  %50 = fadd double %48, %49
  store double %50, ptr %11, align 8
  br label %51

51:
  call void @gradir.d.scale_vector(i64 %1, double %10, ptr %13, i64 %14)
  call void @free(ptr %21)
  br label %52

52:
  call void @gradir.d.release(ptr %15)
  ret void
}
define internal void @gradir.d.symv.forward(i8 %0, i64 %1, double %2, double %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, double %10, double %11, ptr %12, ptr %13, i64 %14) {
15:
  %16 = icmp eq ptr %13, null
  br i1 %16, label %29, label %17

17:
  call void @gradir.d.scale_vector(i64 %1, double %10, ptr %13, i64 %14)
  %18 = fcmp une double %11, 0.000000e+00
  br i1 %18, label %19, label %20

19:
  call void @gradir.d.blas.axpy(i64 %1, double %11, ptr %12, i64 %14, ptr %13, i64 %14)
  br label %20

20:
  %21 = fcmp une double %3, 0.000000e+00
  br i1 %21, label %22, label %23

22:
  call void @gradir.d.blas.symv(i8 %0, i64 %1, double %3, ptr %4, i64 %6, ptr %7, i64 %9, double 1.000000e+00, ptr %13, i64 %14)
  br label %23

23:
  %24 = icmp eq ptr %5, null
  br i1 %24, label %26, label %25

25:
  call void @gradir.d.blas.symv(i8 %0, i64 %1, double %2, ptr %5, i64 %6, ptr %7, i64 %9, double 1.000000e+00, ptr %13, i64 %14)
  br label %26

26:
  %27 = icmp eq ptr %8, null
  br i1 %27, label %29, label %28

28:
  call void @gradir.d.blas.symv(i8 %0, i64 %1, double %2, ptr %4, i64 %6, ptr %8, i64 %9, double 1.000000e+00, ptr %13, i64 %14)
  br label %29

29:
  call void @gradir.d.blas.symv(i8 %0, i64 %1, double %2, ptr %4, i64 %6, ptr %7, i64 %9, double %10, ptr %12, i64 %14)
  ret void
}
define internal void @gradir.d.add_outer(i8 %0, i8 %1, i8 %2, i64 %3, double %4, ptr %5, ptr %6, ptr %7, i64 %8) {
9:
  %10 = call ptr @gradir.d.room(i64 %3, i64 %3)
  %11 = and i8 %1, -33
  %12 = icmp eq i8 %11, 78
  %13 = select i1 %12, ptr %5, ptr %6
  %14 = select i1 %12, ptr %6, ptr %5
  call void @gradir.d.blas.ger(i64 %3, i64 %3, double %4, ptr %13, i64 1, ptr %14, i64 1, ptr %10, i64 %3)
  call void @gradir.d.add_triangle(i8 %0, i8 %2, i64 %3, double 1.000000e+00, ptr %10, i64 %3, ptr %7, i64 %8)
  call void @free(ptr %10)
  ret void
}
define internal ptr @gradir.d.trmv.augmented(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = call ptr @gradir.d.new_tape()
  %12 = icmp eq ptr %8, null
  br i1 %12, label %19, label %13

13:
  %14 = call ptr @gradir.d.keep_matrix(i64 %3, i64 %3, ptr %4, i64 %6)
  store ptr %14, ptr %11, align 8
  %15 = icmp eq ptr %5, null
  br i1 %15, label %19, label %16

16:
  %17 = call ptr @gradir.d.keep(i64 %3, ptr %7, i64 %9)
  %18 = getelementptr inbounds i8, ptr %11, i64 8
  store ptr %17, ptr %18, align 8
  br label %19

19:
  call void @gradir.d.blas.trmv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  ret ptr %11
}
declare void @gradir.d.blas.trmv(i8, i8, i8, i64, ptr, i64, ptr, i64)
define internal void @gradir.d.trmv.reverse(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = icmp ne ptr %8, null
  %13 = icmp sgt i64 %3, 0
  %14 = and i1 %13, %12
  br i1 %14, label %15, label %26

15:
  %16 = call ptr @gradir.d.keep(i64 %3, ptr %8, i64 %9)
  %17 = icmp eq ptr %5, null
  br i1 %17, label %21, label %18

18:
  %19 = getelementptr inbounds i8, ptr %10, i64 8
  %20 = load ptr, ptr %19, align 8
  call void @gradir.d.add_outer(i8 %0, i8 %1, i8 %2, i64 %3, double 1.000000e+00, ptr %16, ptr %20, ptr %5, i64 %6)
  br label %21

21:
  %22 = and i8 %1, -33
  %23 = icmp eq i8 %22, 78
  %24 = select i1 %23, i8 84, i8 78
  %25 = load ptr, ptr %10, align 8
  call void @gradir.d.blas.trmv(i8 %0, i8 %24, i8 %2, i64 %3, ptr %25, i64 %3, ptr %8, i64 %9)
  call void @free(ptr %16)
  br label %26

26:
  call void @gradir.d.release(ptr %10)
  ret void
}
define internal ptr @gradir.d.triangle(i8 %0, i8 %1, i64 %2, ptr %3, i64 %4) {
5:
  %6 = call ptr @gradir.d.room(i64 %2, i64 %2)
  call void @gradir.d.add_triangle(i8 %0, i8 %1, i64 %2, double 1.000000e+00, ptr %3, i64 %4, ptr %6, i64 %2)
  ret ptr %6
}
define internal void @gradir.d.trmv.forward(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = icmp ne ptr %8, null
  %12 = icmp sgt i64 %3, 0
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %18

14:
  call void @gradir.d.blas.trmv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %8, i64 %9)
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  %17 = call ptr @gradir.d.triangle(i8 %0, i8 %2, i64 %3, ptr %5, i64 %6)
  call void @gradir.d.blas.gemv(i8 %1, i64 %3, i64 %3, double 1.000000e+00, ptr %17, i64 %3, ptr %7, i64 %9, double 1.000000e+00, ptr %8, i64 %9)
  call void @free(ptr %17)
  br label %18

18:
  call void @gradir.d.blas.trmv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  ret void
}
define internal ptr @gradir.d.trsv.augmented(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = call ptr @gradir.d.new_tape()
  %12 = icmp eq ptr %8, null
  br i1 %12, label %13, label %14

13:
  call void @gradir.d.blas.trsv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  br label %20

14:
  %15 = call ptr @gradir.d.keep_matrix(i64 %3, i64 %3, ptr %4, i64 %6)
  store ptr %15, ptr %11, align 8
  call void @gradir.d.blas.trsv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  %16 = icmp eq ptr %5, null
  br i1 %16, label %20, label %17

17:
  %18 = call ptr @gradir.d.keep(i64 %3, ptr %7, i64 %9)
  %19 = getelementptr inbounds i8, ptr %11, i64 8
  store ptr %18, ptr %19, align 8
  br label %20

20:
  ret ptr %11
}
declare void @gradir.d.blas.trsv(i8, i8, i8, i64, ptr, i64, ptr, i64)
define internal void @gradir.d.trsv.reverse(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = icmp ne ptr %8, null
  %13 = icmp sgt i64 %3, 0
  %14 = and i1 %13, %12
  br i1 %14, label %15, label %25

15:
  %16 = and i8 %1, -33
  %17 = icmp eq i8 %16, 78
  %18 = select i1 %17, i8 84, i8 78
  %19 = load ptr, ptr %10, align 8
  call void @gradir.d.blas.trsv(i8 %0, i8 %18, i8 %2, i64 %3, ptr %19, i64 %3, ptr %8, i64 %9)
  %20 = icmp eq ptr %5, null
  br i1 %20, label %25, label %21

21:
  %22 = call ptr @gradir.d.keep(i64 %3, ptr %8, i64 %9)
  %23 = getelementptr inbounds i8, ptr %10, i64 8
  %24 = load ptr, ptr %23, align 8
  call void @gradir.d.add_outer(i8 %0, i8 %1, i8 %2, i64 %3, double -1.000000e+00, ptr %22, ptr %24, ptr %5, i64 %6)
  call void @free(ptr %22)
  br label %25

25:
  call void @gradir.d.release(ptr %10)
  ret void
}
define internal void @gradir.d.trsv.forward(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  call void @gradir.d.blas.trsv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  %11 = icmp eq ptr %8, null
  %12 = icmp slt i64 %3, 1
  %13 = or i1 %12, %11
  br i1 %13, label %19, label %14

14:
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  %17 = call ptr @gradir.d.triangle(i8 %0, i8 %2, i64 %3, ptr %5, i64 %6)
  call void @gradir.d.blas.gemv(i8 %1, i64 %3, i64 %3, double -1.000000e+00, ptr %17, i64 %3, ptr %7, i64 %9, double 1.000000e+00, ptr %8, i64 %9)
  call void @free(ptr %17)
  br label %18

18:
  call void @gradir.d.blas.trsv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %8, i64 %9)
  br label %19

19:
  ret void
}
define internal ptr @gradir.d.ger.augmented(i64 %0, i64 %1, double %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12) {
13:
  %14 = call ptr @gradir.d.new_tape()
  %15 = icmp eq ptr %11, null
  br i1 %15, label %28, label %16

16:
  %17 = icmp ne ptr %8, null
  %18 = icmp ne ptr %3, null
  %19 = or i1 %18, %17
  br i1 %19, label %20, label %22

20:
  %21 = call ptr @gradir.d.keep(i64 %0, ptr %4, i64 %6)
  store ptr %21, ptr %14, align 8
  br label %22

22:
  %23 = icmp ne ptr %5, null
  %24 = or i1 %18, %23
  br i1 %24, label %25, label %28

25:
  %26 = call ptr @gradir.d.keep(i64 %1, ptr %7, i64 %9)
  %27 = getelementptr inbounds i8, ptr %14, i64 8
  store ptr %26, ptr %27, align 8
  br label %28

28:
  call void @gradir.d.blas.ger(i64 %0, i64 %1, double %2, ptr %4, i64 %6, ptr %7, i64 %9, ptr %10, i64 %12)
  ret ptr %14
}
define internal void @gradir.d.ger.reverse(i64 %0, i64 %1, double %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12, ptr %13) {
14:
  %15 = icmp ne ptr %11, null
  %16 = icmp sgt i64 %0, 0
  %17 = and i1 %16, %15
  %18 = icmp sgt i64 %1, 0
  %19 = and i1 %18, %17
  br i1 %19, label %20, label %39

20:
  %21 = icmp eq ptr %5, null
  br i1 %21, label %25, label %22

22:
  %23 = getelementptr inbounds i8, ptr %13, i64 8
  %24 = load ptr, ptr %23, align 8
  call void @gradir.d.blas.gemv(i8 78, i64 %0, i64 %1, double %2, ptr %11, i64 %12, ptr %24, i64 1, double 1.000000e+00, ptr %5, i64 %6)
  br label %25

25:
  %26 = icmp eq ptr %8, null
  br i1 %26, label %29, label %27

27:
  %28 = load ptr, ptr %13, align 8
  call void @gradir.d.blas.gemv(i8 84, i64 %0, i64 %1, double %2, ptr %11, i64 %12, ptr %28, i64 1, double 1.000000e+00, ptr %8, i64 %9)
  br label %29

29:
  %30 = icmp eq ptr %3, null
  br i1 %30, label %39, label %31

31:
  %32 = call ptr @gradir.d.room(i64 %0, i64 1)
  %33 = getelementptr inbounds i8, ptr %13, i64 8
  %34 = load ptr, ptr %33, align 8
  call void @gradir.d.blas.gemv(i8 78, i64 %0, i64 %1, double 1.000000e+00, ptr %11, i64 %12, ptr %34, i64 1, double 0.000000e+00, ptr %32, i64 1)
  %35 = load ptr, ptr %13, align 8
  %36 = call double @gradir.d.blas.dot(i64 %0, ptr %32, i64 1, ptr %35, i64 1)
  %37 = load double, ptr %3, align 8
  %38 = fadd double %36, %37
  store double %38, ptr %3, align 8
  call void @free(ptr %32)
  br label %39

39:
  call void @gradir.d.release(ptr %13)
  ret void
}
define internal void @gradir.d.ger.forward(i64 %0, i64 %1, double %2, double %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12) {
13:
  %14 = icmp ne ptr %11, null
  %15 = fcmp une double %3, 0.000000e+00
  %16 = and i1 %15, %14
  br i1 %16, label %17, label %18

17:
  call void @gradir.d.blas.ger(i64 %0, i64 %1, double %3, ptr %4, i64 %6, ptr %7, i64 %9, ptr %11, i64 %12)
  br label %18

18:
  %19 = icmp ne ptr %5, null
  %20 = and i1 %19, %14
  br i1 %20, label %21, label %22

21:
  call void @gradir.d.blas.ger(i64 %0, i64 %1, double %2, ptr %5, i64 %6, ptr %7, i64 %9, ptr %11, i64 %12)
  br label %22

22:
  %23 = icmp ne ptr %8, null
  %24 = and i1 %23, %14
  br i1 %24, label %25, label %26

25:
  call void @gradir.d.blas.ger(i64 %0, i64 %1, double %2, ptr %4, i64 %6, ptr %8, i64 %9, ptr %11, i64 %12)
  br label %26

26:
  call void @gradir.d.blas.ger(i64 %0, i64 %1, double %2, ptr %4, i64 %6, ptr %7, i64 %9, ptr %10, i64 %12)
  ret void
}
define internal ptr @gradir.d.syr.augmented(i8 %0, i64 %1, double %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = call ptr @gradir.d.new_tape()
  %12 = icmp eq ptr %8, null
  br i1 %12, label %15, label %13

13:
  %14 = call ptr @gradir.d.keep(i64 %1, ptr %4, i64 %6)
  store ptr %14, ptr %11, align 8
  br label %15

15:
  call void @gradir.d.blas.syr(i8 %0, i64 %1, double %2, ptr %4, i64 %6, ptr %7, i64 %9)
  ret ptr %11
}
declare void @gradir.d.blas.syr(i8, i64, double, ptr, i64, ptr, i64)
define internal void @gradir.d.syr.reverse(i8 %0, i64 %1, double %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = icmp ne ptr %8, null
  %13 = icmp sgt i64 %1, 0
  %14 = and i1 %13, %12
  br i1 %14, label %15, label %30

15:
  %16 = call ptr @gradir.d.unfolded(i8 %0, i64 %1, ptr %8, i64 %9)
  %17 = call ptr @gradir.d.room(i64 %1, i64 1)
  %18 = load ptr, ptr %10, align 8
  call void @gradir.d.blas.gemv(i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %16, i64 %1, ptr %18, i64 1, double 0.000000e+00, ptr %17, i64 1)
  %19 = icmp eq ptr %5, null
  br i1 %19, label %21, label %20

20:
  call void @gradir.d.blas.axpy(i64 %1, double %2, ptr %17, i64 1, ptr %5, i64 %6)
  br label %21

21:
  %22 = icmp eq ptr %3, null
  br i1 %22, label %29, label %23

23:
  %24 = load ptr, ptr %10, align 8
  %25 = call double @gradir.d.blas.dot(i64 %1, ptr %17, i64 1, ptr %24, i64 1)
  %26 = fmul double %25, 5.000000e-01
  %27 = load double, ptr %3, align 8
  %28 = fadd double %27, %26
  store double %28, ptr %3, align 8
  br label %29

29:
  call void @free(ptr %16)
  call void @free(ptr %17)
  br label %30

30:
  call void @gradir.d.release(ptr %10)
  ret void
}
define internal void @gradir.d.syr.forward(i8 %0, i64 %1, double %2, double %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = icmp ne ptr %8, null
  %12 = fcmp une double %3, 0.000000e+00
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %15

14:
  call void @gradir.d.blas.syr(i8 %0, i64 %1, double %3, ptr %4, i64 %6, ptr %8, i64 %9)
  br label %15

15:
  %16 = icmp ne ptr %5, null
  %17 = icmp sgt i64 %1, 0
  %18 = and i1 %17, %16
  %19 = and i1 %18, %11
  br i1 %19, label %20, label %36

20:
  %21 = call ptr @gradir.d.room(i64 %1, i64 %1)
  call void @gradir.d.blas.ger(i64 %1, i64 %1, double %2, ptr %4, i64 %6, ptr %5, i64 %6, ptr %21, i64 %1)
  call void @gradir.d.add_folded(i8 %0, i64 %1, double 1.000000e+00, ptr %21, i64 %1, ptr %8, i64 %9)
  %22 = add i64 %1, 1
  %23 = add i64 %9, 1
  br label %25

24:
  call void @free(ptr %21)
  br label %36

25:
  %26 = phi i64 [ 0, %20 ], [ %34, %25 ]
  %27 = mul i64 %26, %22
  %28 = getelementptr inbounds double, ptr %21, i64 %27
  %29 = load double, ptr %28, align 8
  %30 = mul i64 %26, %23
  %31 = getelementptr inbounds double, ptr %8, i64 %30
  %32 = load double, ptr %31, align 8
  %33 = fadd double %29, %32
  store double %33, ptr %31, align 8
  %34 = add nsw i64 %26, 1
  %35 = icmp eq i64 %34, %1
  br i1 %35, label %24, label %25

36:
  call void @gradir.d.blas.syr(i8 %0, i64 %1, double %2, ptr %4, i64 %6, ptr %7, i64 %9)
  ret void
}
define internal ptr @gradir.d.gemm.augmented(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12, double %13, ptr %14, ptr %15, ptr %16, i64 %17) {
18:
  %19 = call ptr @gradir.d.new_tape()
  %20 = icmp eq ptr %16, null
  br i1 %20, label %52, label %21

21:
  %22 = icmp ne ptr %11, null
  %23 = icmp ne ptr %6, null
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %34

25:
  %26 = and i8 %0, -33
  %27 = icmp eq i8 %26, 78
  br i1 %27, label %30, label %28

28:
  %29 = call ptr @gradir.d.keep_matrix(i64 %4, i64 %2, ptr %7, i64 %9)
  br label %32

30:
  %31 = call ptr @gradir.d.keep_matrix(i64 %2, i64 %4, ptr %7, i64 %9)
  br label %32

32:
  %33 = phi ptr [ %29, %28 ], [ %31, %30 ]
  store ptr %33, ptr %19, align 8
  br label %34

34:
  %35 = icmp ne ptr %8, null
  %36 = or i1 %23, %35
  br i1 %36, label %37, label %47

37:
  %38 = and i8 %1, -33
  %39 = icmp eq i8 %38, 78
  br i1 %39, label %42, label %40

40:
  %41 = call ptr @gradir.d.keep_matrix(i64 %3, i64 %4, ptr %10, i64 %12)
  br label %44

42:
  %43 = call ptr @gradir.d.keep_matrix(i64 %4, i64 %3, ptr %10, i64 %12)
  br label %44

44:
  %45 = phi ptr [ %41, %40 ], [ %43, %42 ]
  %46 = getelementptr inbounds i8, ptr %19, i64 8
  store ptr %45, ptr %46, align 8
  br label %47

47:
  %48 = icmp eq ptr %14, null
  br i1 %48, label %52, label %49

49:
  %50 = call ptr @gradir.d.keep_matrix(i64 %2, i64 %3, ptr %15, i64 %17)
  %51 = getelementptr inbounds i8, ptr %19, i64 16
  store ptr %50, ptr %51, align 8
  br label %52

52:
  call void @gradir.d.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, ptr %7, i64 %9, ptr %10, i64 %12, double %13, ptr %15, i64 %17)
  ret ptr %19
}
declare void @gradir.d.blas.gemm(i8, i8, i64, i64, i64, double, ptr, i64, ptr, i64, double, ptr, i64)
define internal void @gradir.d.gemm_back_a(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, ptr %6, i64 %7, ptr %8, i64 %9, ptr %10, i64 %11) {
12:
  %13 = and i8 %0, -33
  %14 = icmp eq i8 %13, 78
  br i1 %14, label %16, label %15

15:
  call void @gradir.d.blas.gemm(i8 %1, i8 84, i64 %4, i64 %2, i64 %3, double %5, ptr %8, i64 %9, ptr %6, i64 %7, double 1.000000e+00, ptr %10, i64 %11)
  br label %20

16:
  %17 = and i8 %1, -33
  %18 = icmp eq i8 %17, 78
  %19 = select i1 %18, i8 84, i8 78
  call void @gradir.d.blas.gemm(i8 78, i8 %19, i64 %2, i64 %4, i64 %3, double %5, ptr %6, i64 %7, ptr %8, i64 %9, double 1.000000e+00, ptr %10, i64 %11)
  br label %20

20:
  ret void
}
define internal void @gradir.d.gemm.reverse(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12, double %13, ptr %14, ptr %15, ptr %16, i64 %17, ptr %18) {
19:
  %20 = icmp ne ptr %16, null
  %21 = icmp sgt i64 %2, 0
  %22 = and i1 %21, %20
  %23 = icmp sgt i64 %3, 0
  %24 = and i1 %23, %22
  br i1 %24, label %25, label %71

25:
  %26 = and i8 %0, -33
  %27 = icmp eq i8 %26, 78
  %28 = select i1 %27, i64 %2, i64 %4
  %29 = select i1 %27, i64 %4, i64 %2
  %30 = and i8 %1, -33
  %31 = icmp eq i8 %30, 78
  %32 = select i1 %31, i64 %4, i64 %3
  %33 = icmp sgt i64 %4, 0
  %34 = icmp ne ptr %6, null
  %35 = and i1 %33, %34
  br i1 %35, label %36, label %47

36:
  %37 = call ptr @gradir.d.room(i64 %28, i64 %29)
  %38 = getelementptr inbounds i8, ptr %18, i64 8
  %39 = load ptr, ptr %38, align 8
  call void @gradir.d.gemm_back_a(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double 1.000000e+00, ptr %16, i64 %17, ptr %39, i64 %32, ptr %37, i64 %28)
  %40 = load ptr, ptr %18, align 8
  %41 = call double @gradir.d.inner(i64 %28, i64 %29, ptr %37, i64 %28, ptr %40, i64 %28)
  %42 = load double, ptr %6, align 8
  %43 = fadd double %41, %42
  store double %43, ptr %6, align 8
  %44 = icmp eq ptr %8, null
  br i1 %44, label %46, label %45

45:
  call void @gradir.d.add(i64 %28, i64 %29, double %5, ptr %37, i64 %28, ptr %8, i64 %9)
  br label %46

46:
  call void @free(ptr %37)
  br label %53

47:
  %48 = icmp ne ptr %8, null
  %49 = and i1 %33, %48
  br i1 %49, label %50, label %53

50:
  %51 = getelementptr inbounds i8, ptr %18, i64 8
  %52 = load ptr, ptr %51, align 8
  call void @gradir.d.gemm_back_a(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, ptr %16, i64 %17, ptr %52, i64 %32, ptr %8, i64 %9)
  br label %53

53:
  %54 = icmp ne ptr %11, null
  %55 = and i1 %33, %54
  br i1 %55, label %56, label %62

56:
  br i1 %31, label %59, label %57

57:
  %58 = load ptr, ptr %18, align 8
  call void @gradir.d.blas.gemm(i8 84, i8 %0, i64 %3, i64 %4, i64 %2, double %5, ptr %16, i64 %17, ptr %58, i64 %28, double 1.000000e+00, ptr %11, i64 %12)
  br label %62

59:
  %60 = select i1 %27, i8 84, i8 78
  %61 = load ptr, ptr %18, align 8
  call void @gradir.d.blas.gemm(i8 %60, i8 78, i64 %4, i64 %3, i64 %2, double %5, ptr %61, i64 %28, ptr %16, i64 %17, double 1.000000e+00, ptr %11, i64 %12)
  br label %62

62:
  %63 = icmp eq ptr %14, null
  br i1 %63, label %70, label %64

64:
  %65 = getelementptr inbounds i8, ptr %18, i64 16
  %66 = load ptr, ptr %65, align 8
  %67 = call double @gradir.d.inner(i64 %2, i64 %3, ptr %66, i64 %2, ptr %16, i64 %17)
  %68 = load double, ptr %14, align 8
  %69 = fadd double %67, %68
  store double %69, ptr %14, align 8
  br label %70

70:
  call void @gradir.d.scale(i64 %2, i64 %3, double %13, ptr %16, i64 %17)
  br label %71

71:
  call void @gradir.d.release(ptr %18)
  ret void
}
define internal void @gradir.d.gemm.forward(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, double %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12, double %13, double %14, ptr %15, ptr %16, i64 %17) {
18:
  %19 = icmp eq ptr %16, null
  br i1 %19, label %32, label %20

20:
  call void @gradir.d.scale(i64 %2, i64 %3, double %13, ptr %16, i64 %17)
  %21 = fcmp une double %14, 0.000000e+00
  br i1 %21, label %22, label %23

22:
  call void @gradir.d.add(i64 %2, i64 %3, double %14, ptr %15, i64 %17, ptr %16, i64 %17)
  br label %23

23:
  %24 = fcmp une double %6, 0.000000e+00
  br i1 %24, label %25, label %26

25:
  call void @gradir.d.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %6, ptr %7, i64 %9, ptr %10, i64 %12, double 1.000000e+00, ptr %16, i64 %17)
  br label %26

26:
  %27 = icmp eq ptr %8, null
  br i1 %27, label %29, label %28

28:
  call void @gradir.d.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, ptr %8, i64 %9, ptr %10, i64 %12, double 1.000000e+00, ptr %16, i64 %17)
  br label %29

29:
  %30 = icmp eq ptr %11, null
  br i1 %30, label %32, label %31

31:
  call void @gradir.d.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, ptr %7, i64 %9, ptr %11, i64 %12, double 1.000000e+00, ptr %16, i64 %17)
  br label %32

32:
  call void @gradir.d.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, double %5, ptr %7, i64 %9, ptr %10, i64 %12, double %13, ptr %15, i64 %17)
  ret void
}
define internal ptr @gradir.d.symm.augmented(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %5, ptr %6, ptr %7, i64 %8, ptr %9, ptr %10, i64 %11, double %12, ptr %13, ptr %14, ptr %15, i64 %16) {
17:
  %18 = call ptr @gradir.d.new_tape()
  %19 = and i8 %0, -33
  %20 = icmp eq i8 %19, 76
  %21 = select i1 %20, i64 %2, i64 %3
  %22 = icmp eq ptr %15, null
  br i1 %22, label %40, label %23

23:
  %24 = icmp ne ptr %10, null
  %25 = icmp ne ptr %5, null
  %26 = or i1 %25, %24
  br i1 %26, label %27, label %29

27:
  %28 = call ptr @gradir.d.keep_matrix(i64 %21, i64 %21, ptr %6, i64 %8)
  store ptr %28, ptr %18, align 8
  br label %29

29:
  %30 = icmp ne ptr %7, null
  %31 = or i1 %25, %30
  br i1 %31, label %32, label %35

32:
  %33 = call ptr @gradir.d.keep_matrix(i64 %2, i64 %3, ptr %9, i64 %11)
  %34 = getelementptr inbounds i8, ptr %18, i64 8
  store ptr %33, ptr %34, align 8
  br label %35

35:
  %36 = icmp eq ptr %13, null
  br i1 %36, label %40, label %37

37:
  %38 = call ptr @gradir.d.keep_matrix(i64 %2, i64 %3, ptr %14, i64 %16)
  %39 = getelementptr inbounds i8, ptr %18, i64 16
  store ptr %38, ptr %39, align 8
  br label %40

40:
  call void @gradir.d.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %6, i64 %8, ptr %9, i64 %11, double %12, ptr %14, i64 %16)
  ret ptr %18
}
declare void @gradir.d.blas.symm(i8, i8, i64, i64, double, ptr, i64, ptr, i64, double, ptr, i64)
define internal void @gradir.d.symm.reverse(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %5, ptr %6, ptr %7, i64 %8, ptr %9, ptr %10, i64 %11, double %12, ptr %13, ptr %14, ptr %15, i64 %16, ptr %17) {
18:
  %19 = icmp ne ptr %15, null
  %20 = icmp sgt i64 %2, 0
  %21 = and i1 %20, %19
  %22 = icmp sgt i64 %3, 0
  %23 = and i1 %22, %21
  br i1 %23, label %24, label %61

24:
  %25 = and i8 %0, -33
  %26 = icmp eq i8 %25, 76
  %27 = select i1 %26, i64 %2, i64 %3
  %28 = icmp ne ptr %10, null
  %29 = icmp ne ptr %5, null
  %30 = or i1 %29, %28
  br i1 %30, label %31, label %43

31:
  %32 = call ptr @gradir.d.room(i64 %2, i64 %3)
  %33 = load ptr, ptr %17, align 8
  call void @gradir.d.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, double 1.000000e+00, ptr %33, i64 %27, ptr %15, i64 %16, double 0.000000e+00, ptr %32, i64 %2)
  br i1 %29, label %34, label %40

34:
  %35 = getelementptr inbounds i8, ptr %17, i64 8
  %36 = load ptr, ptr %35, align 8
  %37 = call double @gradir.d.inner(i64 %2, i64 %3, ptr %32, i64 %2, ptr %36, i64 %2)
  %38 = load double, ptr %5, align 8
  %39 = fadd double %37, %38
  store double %39, ptr %5, align 8
  br label %40

40:
  br i1 %28, label %41, label %42

41:
  call void @gradir.d.add(i64 %2, i64 %3, double %4, ptr %32, i64 %2, ptr %10, i64 %11)
  br label %42

42:
  call void @free(ptr %32)
  br label %43

43:
  %44 = icmp eq ptr %7, null
  br i1 %44, label %52, label %45

45:
  %46 = call ptr @gradir.d.room(i64 %27, i64 %27)
  %47 = getelementptr inbounds i8, ptr %17, i64 8
  %48 = load ptr, ptr %47, align 8
  br i1 %26, label %49, label %50

49:
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %2, i64 %2, i64 %3, double 1.000000e+00, ptr %15, i64 %16, ptr %48, i64 %2, double 0.000000e+00, ptr %46, i64 %2)
  br label %51

50:
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %3, i64 %3, i64 %2, double 1.000000e+00, ptr %48, i64 %2, ptr %15, i64 %16, double 0.000000e+00, ptr %46, i64 %3)
  br label %51

51:
  call void @gradir.d.add_folded(i8 %1, i64 %27, double %4, ptr %46, i64 %27, ptr %7, i64 %8)
  call void @free(ptr %46)
  br label %52

52:
  %53 = icmp eq ptr %13, null
  br i1 %53, label %60, label %54

54:
  %55 = getelementptr inbounds i8, ptr %17, i64 16
  %56 = load ptr, ptr %55, align 8
  %57 = call double @gradir.d.inner(i64 %2, i64 %3, ptr %56, i64 %2, ptr %15, i64 %16)
  %58 = load double, ptr %13, align 8
  %59 = fadd double %57, %58
  store double %59, ptr %13, align 8
  br label %60

60:
  call void @gradir.d.scale(i64 %2, i64 %3, double %12, ptr %15, i64 %16)
  br label %61

61:
  call void @gradir.d.release(ptr %17)
  ret void
}
define internal void @gradir.d.symm.forward(i8 %0, i8 %1, i64 %2, i64 %3, double %4, double %5, ptr %6, ptr %7, i64 %8, ptr %9, ptr %10, i64 %11, double %12, double %13, ptr %14, ptr %15, i64 %16) {
17:
  %18 = icmp eq ptr %15, null
  br i1 %18, label %31, label %19

19:
  call void @gradir.d.scale(i64 %2, i64 %3, double %12, ptr %15, i64 %16)
  %20 = fcmp une double %13, 0.000000e+00
  br i1 %20, label %21, label %22

21:
  call void @gradir.d.add(i64 %2, i64 %3, double %13, ptr %14, i64 %16, ptr %15, i64 %16)
  br label %22

22:
  %23 = fcmp une double %5, 0.000000e+00
  br i1 %23, label %24, label %25

24:
  call void @gradir.d.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, double %5, ptr %6, i64 %8, ptr %9, i64 %11, double 1.000000e+00, ptr %15, i64 %16)
  br label %25

25:
  %26 = icmp eq ptr %7, null
  br i1 %26, label %28, label %27

27:
  call void @gradir.d.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %7, i64 %8, ptr %9, i64 %11, double 1.000000e+00, ptr %15, i64 %16)
  br label %28

28:
  %29 = icmp eq ptr %10, null
  br i1 %29, label %31, label %30

30:
  call void @gradir.d.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %6, i64 %8, ptr %10, i64 %11, double 1.000000e+00, ptr %15, i64 %16)
  br label %31

31:
  call void @gradir.d.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %6, i64 %8, ptr %9, i64 %11, double %12, ptr %14, i64 %16)
  ret void
}
define internal ptr @gradir.d.syrk.augmented(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %5, ptr %6, ptr %7, i64 %8, double %9, ptr %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = call ptr @gradir.d.new_tape()
  %16 = icmp eq ptr %12, null
  br i1 %16, label %30, label %17

17:
  %18 = and i8 %1, -33
  %19 = icmp eq i8 %18, 78
  br i1 %19, label %22, label %20

20:
  %21 = call ptr @gradir.d.keep_matrix(i64 %3, i64 %2, ptr %6, i64 %8)
  br label %24

22:
  %23 = call ptr @gradir.d.keep_matrix(i64 %2, i64 %3, ptr %6, i64 %8)
  br label %24

24:
  %25 = phi ptr [ %21, %20 ], [ %23, %22 ]
  store ptr %25, ptr %15, align 8
  %26 = icmp eq ptr %10, null
  br i1 %26, label %30, label %27

27:
  %28 = call ptr @gradir.d.keep_matrix(i64 %2, i64 %2, ptr %11, i64 %13)
  %29 = getelementptr inbounds i8, ptr %15, i64 16
  store ptr %28, ptr %29, align 8
  br label %30

30:
  call void @gradir.d.blas.syrk(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %6, i64 %8, double %9, ptr %11, i64 %13)
  ret ptr %15
}
declare void @gradir.d.blas.syrk(i8, i8, i64, i64, double, ptr, i64, double, ptr, i64)
define internal void @gradir.d.syrk.reverse(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %5, ptr %6, ptr %7, i64 %8, double %9, ptr %10, ptr %11, ptr %12, i64 %13, ptr %14) {
15:
  %16 = icmp ne ptr %12, null
  %17 = icmp sgt i64 %2, 0
  %18 = and i1 %17, %16
  br i1 %18, label %19, label %88

19:
  %20 = icmp sgt i64 %3, 0
  br i1 %20, label %21, label %45

21:
  %22 = icmp ne ptr %7, null
  %23 = icmp ne ptr %5, null
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %45

25:
  %26 = and i8 %1, -33
  %27 = icmp eq i8 %26, 78
  %28 = select i1 %27, i64 %2, i64 %3
  %29 = select i1 %27, i64 %3, i64 %2
  %30 = call ptr @gradir.d.unfolded(i8 %0, i64 %2, ptr %12, i64 %13)
  %31 = call ptr @gradir.d.room(i64 %28, i64 %29)
  %32 = load ptr, ptr %14, align 8
  br i1 %27, label %34, label %33

33:
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %3, i64 %2, i64 %2, double 1.000000e+00, ptr %32, i64 %3, ptr %30, i64 %2, double 0.000000e+00, ptr %31, i64 %3)
  br label %35

34:
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %2, i64 %3, i64 %2, double 1.000000e+00, ptr %30, i64 %2, ptr %32, i64 %2, double 0.000000e+00, ptr %31, i64 %2)
  br label %35

35:
  br i1 %22, label %36, label %37

36:
  call void @gradir.d.add(i64 %28, i64 %29, double %4, ptr %31, i64 %28, ptr %7, i64 %8)
  br label %37

37:
  br i1 %23, label %38, label %44

38:
  %39 = load ptr, ptr %14, align 8
  %40 = call double @gradir.d.inner(i64 %28, i64 %29, ptr %31, i64 %28, ptr %39, i64 %28)
  %41 = fmul double %40, 5.000000e-01
  %42 = load double, ptr %5, align 8
  %43 = fadd double %42, %41
  store double %43, ptr %5, align 8
  br label %44

44:
  call void @free(ptr %30)
  call void @free(ptr %31)
  br label %45

45:
  %46 = and i8 %0, -33
  %47 = icmp eq i8 %46, 85
  %48 = icmp eq ptr %10, null
  %49 = getelementptr inbounds i8, ptr %14, i64 16
  %50 = fcmp oeq double %9, 0.000000e+00
  br label %51

51:
  %52 = phi i64 [ 0, %45 ], [ %57, %56 ]
  %53 = mul nsw i64 %52, %2
  %54 = mul nsw i64 %52, %13
  %55 = getelementptr double, ptr %12, i64 %54
  br label %59

56:
  %57 = add nsw i64 %52, 1
  %58 = icmp eq i64 %57, %2
  br i1 %58, label %88, label %51

59:
  %60 = phi i64 [ 0, %51 ], [ %86, %85 ]
  %61 = icmp eq i64 %60, %52
  br i1 %61, label %66, label %62

62:
  %63 = icmp ule i64 %60, %52
  %64 = icmp uge i64 %60, %52
  %65 = select i1 %47, i1 %64, i1 %63
  br i1 %65, label %85, label %66

66:
  br i1 %48, label %77, label %67

67:
  %68 = load ptr, ptr %49, align 8
  %69 = getelementptr inbounds double, ptr %68, i64 %60
  %70 = getelementptr inbounds double, ptr %69, i64 %53
  %71 = load double, ptr %70, align 8
  %72 = getelementptr double, ptr %55, i64 %60
  %73 = load double, ptr %72, align 8
  %74 = fmul double %71, %73
  %75 = load double, ptr %10, align 8
  %76 = fadd double %75, %74
  store double %76, ptr %10, align 8
  br label %77

77:
  br i1 %50, label %82, label %78

78:
  %79 = getelementptr double, ptr %55, i64 %60
  %80 = load double, ptr %79, align 8
  %81 = fmul double %9, %80
  br label %82

82:
  %83 = phi double [ %81, %78 ], [ 0.000000e+00, %77 ]
  %84 = getelementptr double, ptr %55, i64 %60
  store double %83, ptr %84, align 8
  br label %85

85:
  %86 = add nsw i64 %60, 1
  %87 = icmp eq i64 %86, %2
  br i1 %87, label %56, label %59

88:
  call void @gradir.d.release(ptr %14)
  ret void
}
define internal void @gradir.d.syrk.forward(i8 %0, i8 %1, i64 %2, i64 %3, double %4, double %5, ptr %6, ptr %7, i64 %8, double %9, double %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = icmp ne ptr %12, null
  %16 = icmp sgt i64 %2, 0
  %17 = and i1 %16, %15
  br i1 %17, label %18, label %79

18:
  %19 = and i8 %0, -33
  %20 = icmp eq i8 %19, 85
  %21 = fcmp oeq double %9, 0.000000e+00
  br label %22

22:
  %23 = phi i64 [ 0, %18 ], [ %29, %28 ]
  %24 = mul nsw i64 %23, %13
  %25 = getelementptr double, ptr %12, i64 %24
  br label %31

26:
  %27 = fcmp une double %5, 0.000000e+00
  br i1 %27, label %54, label %55

28:
  %29 = add nsw i64 %23, 1
  %30 = icmp eq i64 %29, %2
  br i1 %30, label %26, label %22

31:
  %32 = phi i64 [ 0, %22 ], [ %52, %51 ]
  %33 = icmp eq i64 %32, %23
  br i1 %33, label %38, label %34

34:
  %35 = icmp ule i64 %32, %23
  %36 = icmp uge i64 %32, %23
  %37 = select i1 %20, i1 %36, i1 %35
  br i1 %37, label %51, label %38

38:
  br i1 %21, label %43, label %39

39:
  %40 = getelementptr double, ptr %25, i64 %32
  %41 = load double, ptr %40, align 8
  %42 = fmul double %9, %41
  br label %43

43:
  %44 = phi double [ %42, %39 ], [ 0.000000e+00, %38 ]
  %45 = add nsw i64 %32, %24
  %46 = getelementptr inbounds double, ptr %11, i64 %45
  %47 = load double, ptr %46, align 8
  %48 = fmul double %10, %47
  %49 = fadd double %44, %48
  %50 = getelementptr inbounds double, ptr %12, i64 %45
  store double %49, ptr %50, align 8
  br label %51

51:
  %52 = add nsw i64 %32, 1
  %53 = icmp eq i64 %52, %2
  br i1 %53, label %28, label %31

54:
  call void @gradir.d.blas.syrk(i8 %0, i8 %1, i64 %2, i64 %3, double %5, ptr %6, i64 %8, double 1.000000e+00, ptr %12, i64 %13)
  br label %55

55:
  %56 = icmp ne ptr %7, null
  %57 = icmp sgt i64 %3, 0
  %58 = and i1 %57, %56
  br i1 %58, label %59, label %79

59:
  %60 = call ptr @gradir.d.room(i64 %2, i64 %2)
  %61 = and i8 %1, -33
  %62 = icmp eq i8 %61, 78
  %63 = select i1 %62, i8 84, i8 78
  call void @gradir.d.blas.gemm(i8 %1, i8 %63, i64 %2, i64 %2, i64 %3, double %4, ptr %6, i64 %8, ptr %7, i64 %8, double 0.000000e+00, ptr %60, i64 %2)
  call void @gradir.d.add_folded(i8 %0, i64 %2, double 1.000000e+00, ptr %60, i64 %2, ptr %12, i64 %13)
  %64 = add i64 %2, 1
  %65 = add i64 %13, 1
  %66 = call i64 @llvm.smax.i64(i64 %2, i64 1)
  br label %68

67:
  call void @free(ptr %60)
  br label %79

68:
  %69 = phi i64 [ 0, %59 ], [ %77, %68 ]
  %70 = mul i64 %69, %64
  %71 = getelementptr inbounds double, ptr %60, i64 %70
  %72 = load double, ptr %71, align 8
  %73 = mul i64 %69, %65
  %74 = getelementptr inbounds double, ptr %12, i64 %73
  %75 = load double, ptr %74, align 8
  %76 = fadd double %72, %75
  store double %76, ptr %74, align 8
  %77 = add nsw i64 %69, 1
  %78 = icmp eq i64 %77, %66
  br i1 %78, label %67, label %68

79:
  call void @gradir.d.blas.syrk(i8 %0, i8 %1, i64 %2, i64 %3, double %4, ptr %6, i64 %8, double %9, ptr %11, i64 %13)
  ret void
}
define internal void @gradir.d.add_product(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %7, i64 %8, ptr %9, i64 %10, ptr %11, i64 %12) {
13:
  %14 = and i8 %0, -33
  %15 = icmp eq i8 %14, 76
  %16 = select i1 %15, i64 %4, i64 %5
  %17 = call ptr @gradir.d.room(i64 %16, i64 %16)
  %18 = select i1 %15, ptr %7, ptr %9
  %19 = select i1 %15, ptr %9, ptr %7
  %20 = select i1 %15, i64 %8, i64 %10
  %21 = select i1 %15, i64 %10, i64 %8
  %22 = and i8 %2, -33
  %23 = icmp eq i8 %22, 78
  br i1 %23, label %25, label %24

24:
  br label %25

25:
  %26 = phi i64 [ %21, %24 ], [ %20, %13 ]
  %27 = phi i64 [ %20, %24 ], [ %21, %13 ]
  %28 = phi ptr [ %18, %24 ], [ %19, %13 ]
  %29 = phi ptr [ %19, %24 ], [ %18, %13 ]
  br i1 %15, label %30, label %31

30:
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %4, i64 %4, i64 %5, double 1.000000e+00, ptr %29, i64 %26, ptr %28, i64 %27, double 0.000000e+00, ptr %17, i64 %4)
  br label %32

31:
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %5, i64 %5, i64 %4, double 1.000000e+00, ptr %29, i64 %26, ptr %28, i64 %27, double 0.000000e+00, ptr %17, i64 %5)
  br label %32

32:
  call void @gradir.d.add_triangle(i8 %1, i8 %3, i64 %16, double %6, ptr %17, i64 %16, ptr %11, i64 %12)
  call void @free(ptr %17)
  ret void
}
define internal ptr @gradir.d.trmm.augmented(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = call ptr @gradir.d.new_tape()
  %16 = icmp eq ptr %12, null
  br i1 %16, label %28, label %17

17:
  %18 = and i8 %0, -33
  %19 = icmp eq i8 %18, 76
  %20 = select i1 %19, i64 %4, i64 %5
  %21 = call ptr @gradir.d.keep_matrix(i64 %20, i64 %20, ptr %8, i64 %10)
  store ptr %21, ptr %15, align 8
  %22 = icmp ne ptr %9, null
  %23 = icmp ne ptr %7, null
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %28

25:
  %26 = call ptr @gradir.d.keep_matrix(i64 %4, i64 %5, ptr %11, i64 %13)
  %27 = getelementptr inbounds i8, ptr %15, i64 8
  store ptr %26, ptr %27, align 8
  br label %28

28:
  call void @gradir.d.blas.trmm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %8, i64 %10, ptr %11, i64 %13)
  ret ptr %15
}
declare void @gradir.d.blas.trmm(i8, i8, i8, i8, i64, i64, double, ptr, i64, ptr, i64)
define internal void @gradir.d.trmm.reverse(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14) {
15:
  %16 = icmp ne ptr %12, null
  %17 = icmp sgt i64 %4, 0
  %18 = and i1 %17, %16
  %19 = icmp sgt i64 %5, 0
  %20 = and i1 %19, %18
  br i1 %20, label %21, label %42

21:
  %22 = and i8 %0, -33
  %23 = icmp eq i8 %22, 76
  %24 = select i1 %23, i64 %4, i64 %5
  %25 = icmp eq ptr %9, null
  br i1 %25, label %29, label %26

26:
  %27 = getelementptr inbounds i8, ptr %14, i64 8
  %28 = load ptr, ptr %27, align 8
  call void @gradir.d.add_product(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %12, i64 %13, ptr %28, i64 %4, ptr %9, i64 %10)
  br label %29

29:
  %30 = and i8 %2, -33
  %31 = icmp eq i8 %30, 78
  %32 = select i1 %31, i8 84, i8 78
  %33 = load ptr, ptr %14, align 8
  call void @gradir.d.blas.trmm(i8 %0, i8 %1, i8 %32, i8 %3, i64 %4, i64 %5, double 1.000000e+00, ptr %33, i64 %24, ptr %12, i64 %13)
  %34 = icmp eq ptr %7, null
  br i1 %34, label %41, label %35

35:
  %36 = getelementptr inbounds i8, ptr %14, i64 8
  %37 = load ptr, ptr %36, align 8
  %38 = call double @gradir.d.inner(i64 %4, i64 %5, ptr %12, i64 %13, ptr %37, i64 %4)
  %39 = load double, ptr %7, align 8
  %40 = fadd double %38, %39
  store double %40, ptr %7, align 8
  br label %41

41:
  call void @gradir.d.scale(i64 %4, i64 %5, double %6, ptr %12, i64 %13)
  br label %42

42:
  call void @gradir.d.release(ptr %14)
  ret void
}
define internal void @gradir.d.trmm.forward(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, double %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = icmp ne ptr %12, null
  %16 = icmp sgt i64 %4, 0
  %17 = and i1 %16, %15
  %18 = icmp sgt i64 %5, 0
  %19 = and i1 %18, %17
  br i1 %19, label %20, label %34

20:
  %21 = and i8 %0, -33
  %22 = icmp eq i8 %21, 76
  %23 = select i1 %22, i64 %4, i64 %5
  %24 = fcmp une double %7, 0.000000e+00
  br i1 %24, label %25, label %26

25:
  call void @gradir.d.scale(i64 %4, i64 %5, double %6, ptr %12, i64 %13)
  call void @gradir.d.add(i64 %4, i64 %5, double %7, ptr %11, i64 %13, ptr %12, i64 %13)
  br label %26

26:
  %27 = phi double [ 1.000000e+00, %25 ], [ %6, %20 ]
  call void @gradir.d.blas.trmm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %27, ptr %8, i64 %10, ptr %12, i64 %13)
  %28 = icmp eq ptr %9, null
  br i1 %28, label %34, label %29

29:
  %30 = call ptr @gradir.d.triangle(i8 %1, i8 %3, i64 %23, ptr %9, i64 %10)
  br i1 %22, label %31, label %32

31:
  call void @gradir.d.blas.gemm(i8 %2, i8 78, i64 %4, i64 %5, i64 %4, double %6, ptr %30, i64 %4, ptr %11, i64 %13, double 1.000000e+00, ptr %12, i64 %13)
  br label %33

32:
  call void @gradir.d.blas.gemm(i8 78, i8 %2, i64 %4, i64 %5, i64 %5, double %6, ptr %11, i64 %13, ptr %30, i64 %5, double 1.000000e+00, ptr %12, i64 %13)
  br label %33

33:
  call void @free(ptr %30)
  br label %34

34:
  call void @gradir.d.blas.trmm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %8, i64 %10, ptr %11, i64 %13)
  ret void
}
define internal ptr @gradir.d.trsm.augmented(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = call ptr @gradir.d.new_tape()
  %16 = icmp eq ptr %12, null
  br i1 %16, label %17, label %18

17:
  call void @gradir.d.blas.trsm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %8, i64 %10, ptr %11, i64 %13)
  br label %32

18:
  %19 = and i8 %0, -33
  %20 = icmp eq i8 %19, 76
  %21 = select i1 %20, i64 %4, i64 %5
  %22 = call ptr @gradir.d.keep_matrix(i64 %21, i64 %21, ptr %8, i64 %10)
  store ptr %22, ptr %15, align 8
  %23 = icmp eq ptr %7, null
  br i1 %23, label %27, label %24

24:
  %25 = call ptr @gradir.d.keep_matrix(i64 %4, i64 %5, ptr %11, i64 %13)
  %26 = getelementptr inbounds i8, ptr %15, i64 16
  store ptr %25, ptr %26, align 8
  br label %27

27:
  call void @gradir.d.blas.trsm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %8, i64 %10, ptr %11, i64 %13)
  %28 = icmp eq ptr %9, null
  br i1 %28, label %32, label %29

29:
  %30 = call ptr @gradir.d.keep_matrix(i64 %4, i64 %5, ptr %11, i64 %13)
  %31 = getelementptr inbounds i8, ptr %15, i64 8
  store ptr %30, ptr %31, align 8
  br label %32

32:
  ret ptr %15
}
declare void @gradir.d.blas.trsm(i8, i8, i8, i8, i64, i64, double, ptr, i64, ptr, i64)
define internal void @gradir.d.trsm.reverse(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14) {
15:
  %16 = icmp ne ptr %12, null
  %17 = icmp sgt i64 %4, 0
  %18 = and i1 %17, %16
  %19 = icmp sgt i64 %5, 0
  %20 = and i1 %19, %18
  br i1 %20, label %21, label %42

21:
  %22 = and i8 %0, -33
  %23 = icmp eq i8 %22, 76
  %24 = select i1 %23, i64 %4, i64 %5
  %25 = and i8 %2, -33
  %26 = icmp eq i8 %25, 78
  %27 = select i1 %26, i8 84, i8 78
  %28 = load ptr, ptr %14, align 8
  call void @gradir.d.blas.trsm(i8 %0, i8 %1, i8 %27, i8 %3, i64 %4, i64 %5, double 1.000000e+00, ptr %28, i64 %24, ptr %12, i64 %13)
  %29 = icmp eq ptr %9, null
  br i1 %29, label %33, label %30

30:
  %31 = getelementptr inbounds i8, ptr %14, i64 8
  %32 = load ptr, ptr %31, align 8
  call void @gradir.d.add_product(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double -1.000000e+00, ptr %12, i64 %13, ptr %32, i64 %4, ptr %9, i64 %10)
  br label %33

33:
  %34 = icmp eq ptr %7, null
  br i1 %34, label %41, label %35

35:
  %36 = getelementptr inbounds i8, ptr %14, i64 16
  %37 = load ptr, ptr %36, align 8
  %38 = call double @gradir.d.inner(i64 %4, i64 %5, ptr %12, i64 %13, ptr %37, i64 %4)
  %39 = load double, ptr %7, align 8
  %40 = fadd double %38, %39
  store double %40, ptr %7, align 8
  br label %41

41:
  call void @gradir.d.scale(i64 %4, i64 %5, double %6, ptr %12, i64 %13)
  br label %42

42:
  call void @gradir.d.release(ptr %14)
  ret void
}
define internal void @gradir.d.trsm.forward(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, double %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = icmp ne ptr %12, null
  %16 = icmp sgt i64 %4, 0
  %17 = and i1 %16, %15
  %18 = icmp sgt i64 %5, 0
  %19 = and i1 %18, %17
  br i1 %19, label %20, label %23

20:
  call void @gradir.d.scale(i64 %4, i64 %5, double %6, ptr %12, i64 %13)
  %21 = fcmp une double %7, 0.000000e+00
  br i1 %21, label %22, label %23

22:
  call void @gradir.d.add(i64 %4, i64 %5, double %7, ptr %11, i64 %13, ptr %12, i64 %13)
  br label %23

23:
  call void @gradir.d.blas.trsm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double %6, ptr %8, i64 %10, ptr %11, i64 %13)
  %24 = icmp eq ptr %12, null
  %25 = icmp slt i64 %4, 1
  %26 = or i1 %25, %24
  %27 = icmp slt i64 %5, 1
  %28 = or i1 %27, %26
  br i1 %28, label %40, label %29

29:
  %30 = icmp eq ptr %9, null
  br i1 %30, label %39, label %31

31:
  %32 = and i8 %0, -33
  %33 = icmp eq i8 %32, 76
  %34 = select i1 %33, i64 %4, i64 %5
  %35 = call ptr @gradir.d.triangle(i8 %1, i8 %3, i64 %34, ptr %9, i64 %10)
  br i1 %33, label %36, label %37

36:
  call void @gradir.d.blas.gemm(i8 %2, i8 78, i64 %4, i64 %5, i64 %4, double -1.000000e+00, ptr %35, i64 %4, ptr %11, i64 %13, double 1.000000e+00, ptr %12, i64 %13)
  br label %38

37:
  call void @gradir.d.blas.gemm(i8 78, i8 %2, i64 %4, i64 %5, i64 %5, double -1.000000e+00, ptr %11, i64 %13, ptr %35, i64 %5, double 1.000000e+00, ptr %12, i64 %13)
  br label %38

38:
  call void @free(ptr %35)
  br label %39

39:
  call void @gradir.d.blas.trsm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, double 1.000000e+00, ptr %8, i64 %10, ptr %12, i64 %13)
  br label %40

40:
  ret void
}
define internal ptr @gradir.d.potrf.augmented(i8 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5) {
6:
  call void @gradir.d.blas.potrf(i8 %0, i64 %1, ptr %2, i64 %4, ptr %5)
  %7 = call ptr @gradir.d.new_tape()
  %8 = icmp eq ptr %3, null
  br i1 %8, label %11, label %9

9:
  %10 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %1, ptr %2, i64 %4)
  store ptr %10, ptr %7, align 8
  br label %11

11:
  ret ptr %7
}
declare void @gradir.d.blas.potrf(i8, i64, ptr, i64, ptr)
define internal void @gradir.d.potrf.reverse(i8 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  %8 = icmp ne ptr %3, null
  %9 = icmp sgt i64 %1, 0
  %10 = and i1 %9, %8
  br i1 %10, label %11, label %97

11:
  %12 = and i8 %0, -33
  %13 = icmp eq i8 %12, 85
  %14 = call ptr @gradir.d.room(i64 %1, i64 %1)
  br label %15

15:
  %16 = phi i64 [ 0, %11 ], [ %28, %27 ]
  %17 = getelementptr double, ptr %3, i64 %16
  %18 = mul nsw i64 %16, %4
  %19 = getelementptr double, ptr %3, i64 %18
  %20 = mul nsw i64 %16, %1
  %21 = getelementptr double, ptr %14, i64 %20
  br label %30

22:
  %23 = select i1 %13, i8 84, i8 78
  %24 = select i1 %13, i8 78, i8 84
  %25 = load ptr, ptr %6, align 8
  call void @gradir.d.blas.trmm(i8 76, i8 %0, i8 %24, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %25, i64 %1, ptr %14, i64 %1)
  %26 = add i64 %1, 1
  br label %40

27:
  %28 = add nsw i64 %16, 1
  %29 = icmp eq i64 %28, %1
  br i1 %29, label %22, label %15

30:
  %31 = phi i64 [ %16, %15 ], [ %38, %30 ]
  %32 = mul nsw i64 %31, %4
  %33 = getelementptr double, ptr %17, i64 %32
  %34 = getelementptr double, ptr %19, i64 %31
  %35 = select i1 %13, ptr %33, ptr %34
  %36 = load double, ptr %35, align 8
  %37 = getelementptr double, ptr %21, i64 %31
  store double %36, ptr %37, align 8
  %38 = add nsw i64 %31, 1
  %39 = icmp eq i64 %38, %1
  br i1 %39, label %27, label %30

40:
  %41 = phi i64 [ 0, %22 ], [ %55, %50 ]
  %42 = icmp eq i64 %41, 0
  br i1 %42, label %50, label %43

43:
  %44 = mul nsw i64 %41, %1
  %45 = getelementptr double, ptr %14, i64 %44
  br label %57

46:
  %47 = load ptr, ptr %6, align 8
  call void @gradir.d.blas.trsm(i8 76, i8 %0, i8 %24, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %47, i64 %1, ptr %14, i64 %1)
  %48 = load ptr, ptr %6, align 8
  call void @gradir.d.blas.trsm(i8 82, i8 %0, i8 %23, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %48, i64 %1, ptr %14, i64 %1)
  %49 = add i64 %1, 1
  br label %62

50:
  %51 = mul i64 %41, %26
  %52 = getelementptr inbounds double, ptr %14, i64 %51
  %53 = load double, ptr %52, align 8
  %54 = fmul double %53, 5.000000e-01
  store double %54, ptr %52, align 8
  %55 = add nsw i64 %41, 1
  %56 = icmp eq i64 %55, %1
  br i1 %56, label %46, label %40

57:
  %58 = phi i64 [ 0, %43 ], [ %60, %57 ]
  %59 = getelementptr double, ptr %45, i64 %58
  store double 0.000000e+00, ptr %59, align 8
  %60 = add nsw i64 %58, 1
  %61 = icmp eq i64 %60, %41
  br i1 %61, label %50, label %57

62:
  %63 = phi i64 [ 0, %46 ], [ %73, %72 ]
  %64 = mul nsw i64 %63, %1
  %65 = getelementptr double, ptr %14, i64 %64
  %66 = getelementptr inbounds double, ptr %14, i64 %63
  %67 = mul nsw i64 %63, %4
  %68 = getelementptr double, ptr %3, i64 %67
  %69 = mul i64 %63, %49
  %70 = getelementptr inbounds double, ptr %14, i64 %69
  br label %75

71:
  call void @free(ptr %14)
  br label %97

72:
  %73 = add nsw i64 %63, 1
  %74 = icmp eq i64 %73, %1
  br i1 %74, label %71, label %62

75:
  %76 = phi i64 [ 0, %62 ], [ %95, %94 ]
  %77 = icmp eq i64 %76, %63
  br i1 %77, label %82, label %78

78:
  %79 = icmp ule i64 %76, %63
  %80 = icmp uge i64 %76, %63
  %81 = select i1 %13, i1 %80, i1 %79
  br i1 %81, label %94, label %84

82:
  %83 = load double, ptr %70, align 8
  br label %91

84:
  %85 = getelementptr double, ptr %65, i64 %76
  %86 = load double, ptr %85, align 8
  %87 = mul nsw i64 %76, %1
  %88 = getelementptr inbounds double, ptr %66, i64 %87
  %89 = load double, ptr %88, align 8
  %90 = fadd double %86, %89
  br label %91

91:
  %92 = phi double [ %83, %82 ], [ %90, %84 ]
  %93 = getelementptr double, ptr %68, i64 %76
  store double %92, ptr %93, align 8
  br label %94

94:
  %95 = add nsw i64 %76, 1
  %96 = icmp eq i64 %95, %1
  br i1 %96, label %72, label %75

97:
  call void @gradir.d.release(ptr %6)
  ret void
}
define internal void @gradir.d.potrf.forward(i8 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5) {
6:
  call void @gradir.d.blas.potrf(i8 %0, i64 %1, ptr %2, i64 %4, ptr %5)
  %7 = icmp eq ptr %3, null
  %8 = icmp slt i64 %1, 1
  %9 = or i1 %8, %7
  br i1 %9, label %73, label %10

10:
  %11 = call ptr @gradir.d.unfolded(i8 %0, i64 %1, ptr %3, i64 %4)
  %12 = add i64 %1, 1
  br label %18

13:
  %14 = and i8 %0, -33
  %15 = icmp eq i8 %14, 85
  %16 = select i1 %15, i8 84, i8 78
  %17 = select i1 %15, i8 78, i8 84
  call void @gradir.d.blas.trsm(i8 76, i8 %0, i8 %16, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %2, i64 %4, ptr %11, i64 %1)
  call void @gradir.d.blas.trsm(i8 82, i8 %0, i8 %17, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %2, i64 %4, ptr %11, i64 %1)
  br label %26

18:
  %19 = phi i64 [ 0, %10 ], [ %24, %18 ]
  %20 = mul i64 %19, %12
  %21 = getelementptr inbounds double, ptr %11, i64 %20
  %22 = load double, ptr %21, align 8
  %23 = fmul double %22, 5.000000e-01
  store double %23, ptr %21, align 8
  %24 = add nsw i64 %19, 1
  %25 = icmp eq i64 %24, %1
  br i1 %25, label %13, label %18

26:
  %27 = phi i64 [ 0, %13 ], [ %38, %33 ]
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %33, label %29

29:
  %30 = mul nsw i64 %27, %1
  %31 = getelementptr double, ptr %11, i64 %30
  br label %40

32:
  call void @gradir.d.blas.trmm(i8 76, i8 %0, i8 %16, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %2, i64 %4, ptr %11, i64 %1)
  br label %45

33:
  %34 = mul i64 %27, %12
  %35 = getelementptr inbounds double, ptr %11, i64 %34
  %36 = load double, ptr %35, align 8
  %37 = fmul double %36, 5.000000e-01
  store double %37, ptr %35, align 8
  %38 = add nsw i64 %27, 1
  %39 = icmp eq i64 %38, %1
  br i1 %39, label %32, label %26

40:
  %41 = phi i64 [ 0, %29 ], [ %43, %40 ]
  %42 = getelementptr double, ptr %31, i64 %41
  store double 0.000000e+00, ptr %42, align 8
  %43 = add nsw i64 %41, 1
  %44 = icmp eq i64 %43, %27
  br i1 %44, label %33, label %40

45:
  %46 = phi i64 [ 0, %32 ], [ %54, %53 ]
  %47 = getelementptr inbounds double, ptr %11, i64 %46
  %48 = mul nsw i64 %46, %1
  %49 = getelementptr double, ptr %11, i64 %48
  %50 = mul nsw i64 %46, %4
  %51 = getelementptr double, ptr %3, i64 %50
  br label %56

52:
  call void @free(ptr %11)
  br label %73

53:
  %54 = add nsw i64 %46, 1
  %55 = icmp eq i64 %54, %1
  br i1 %55, label %52, label %45

56:
  %57 = phi i64 [ 0, %45 ], [ %71, %70 ]
  %58 = icmp eq i64 %57, %46
  br i1 %58, label %63, label %59

59:
  %60 = icmp ule i64 %57, %46
  %61 = icmp uge i64 %57, %46
  %62 = select i1 %15, i1 %61, i1 %60
  br i1 %62, label %70, label %63

63:
  %64 = mul nsw i64 %57, %1
  %65 = getelementptr inbounds double, ptr %47, i64 %64
  %66 = getelementptr double, ptr %49, i64 %57
  %67 = select i1 %15, ptr %65, ptr %66
  %68 = load double, ptr %67, align 8
  %69 = getelementptr double, ptr %51, i64 %57
  store double %68, ptr %69, align 8
  br label %70

70:
  %71 = add nsw i64 %57, 1
  %72 = icmp eq i64 %71, %1
  br i1 %72, label %53, label %56

73:
  ret void
}
define internal ptr @gradir.d.potrs.augmented(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9) {
10:
  %11 = call ptr @gradir.d.new_tape()
  %12 = icmp eq ptr %7, null
  br i1 %12, label %13, label %14

13:
  call void @gradir.d.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, i64 %8, ptr %9)
  br label %20

14:
  %15 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %1, ptr %3, i64 %5)
  store ptr %15, ptr %11, align 8
  call void @gradir.d.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, i64 %8, ptr %9)
  %16 = icmp eq ptr %4, null
  br i1 %16, label %20, label %17

17:
  %18 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %2, ptr %6, i64 %8)
  %19 = getelementptr inbounds i8, ptr %11, i64 8
  store ptr %18, ptr %19, align 8
  br label %20

20:
  ret ptr %11
}
declare void @gradir.d.blas.potrs(i8, i64, i64, ptr, i64, ptr, i64, ptr)
define internal void @gradir.d.potrs.reverse(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9, ptr %10) {
11:
  %12 = alloca i32, align 4
  %13 = icmp ne ptr %7, null
  %14 = icmp sgt i64 %1, 0
  %15 = and i1 %14, %13
  %16 = icmp sgt i64 %2, 0
  %17 = and i1 %16, %15
  br i1 %17, label %18, label %31

18:
  %19 = load ptr, ptr %10, align 8
  call void @gradir.d.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %19, i64 %1, ptr %7, i64 %8, ptr %12)
  %20 = icmp eq ptr %4, null
  br i1 %20, label %30, label %21

21:
  %22 = call ptr @gradir.d.room(i64 %1, i64 %1)
  %23 = getelementptr inbounds i8, ptr %10, i64 8
  %24 = load ptr, ptr %23, align 8
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %2, double -1.000000e+00, ptr %7, i64 %8, ptr %24, i64 %1, double 0.000000e+00, ptr %22, i64 %1)
  %25 = load ptr, ptr %23, align 8
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %2, double -1.000000e+00, ptr %25, i64 %1, ptr %7, i64 %8, double 1.000000e+00, ptr %22, i64 %1)
  %26 = and i8 %0, -33
  %27 = icmp eq i8 %26, 85
  %28 = select i1 %27, i8 76, i8 82
  %29 = load ptr, ptr %10, align 8
  call void @gradir.d.blas.trmm(i8 %28, i8 %0, i8 78, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %29, i64 %1, ptr %22, i64 %1)
  call void @gradir.d.add_triangle(i8 %0, i8 78, i64 %1, double 1.000000e+00, ptr %22, i64 %1, ptr %4, i64 %5)
  call void @free(ptr %22)
  br label %30

30:
  br label %31

31:
  call void @gradir.d.release(ptr %10)
  ret void
}
define internal void @gradir.d.potrs.forward(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9) {
10:
  %11 = alloca i32, align 4
  call void @gradir.d.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, i64 %8, ptr %9)
  %12 = icmp eq ptr %7, null
  %13 = icmp slt i64 %1, 1
  %14 = or i1 %13, %12
  %15 = icmp slt i64 %2, 1
  %16 = or i1 %15, %14
  br i1 %16, label %27, label %17

17:
  %18 = icmp eq ptr %4, null
  br i1 %18, label %26, label %19

19:
  %20 = and i8 %0, -33
  %21 = icmp eq i8 %20, 85
  %22 = select i1 %21, i8 84, i8 78
  %23 = select i1 %21, i8 78, i8 84
  %24 = call ptr @gradir.d.triangle(i8 %0, i8 78, i64 %1, ptr %4, i64 %5)
  %25 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %2, ptr %6, i64 %8)
  call void @gradir.d.blas.trmm(i8 76, i8 %0, i8 %23, i8 78, i64 %1, i64 %2, double 1.000000e+00, ptr %3, i64 %5, ptr %25, i64 %1)
  call void @gradir.d.blas.gemm(i8 %22, i8 78, i64 %1, i64 %2, i64 %1, double -1.000000e+00, ptr %24, i64 %1, ptr %25, i64 %1, double 1.000000e+00, ptr %7, i64 %8)
  call void @gradir.d.blas.gemm(i8 %23, i8 78, i64 %1, i64 %2, i64 %1, double 1.000000e+00, ptr %24, i64 %1, ptr %6, i64 %8, double 0.000000e+00, ptr %25, i64 %1)
  call void @gradir.d.blas.trmm(i8 76, i8 %0, i8 %22, i8 78, i64 %1, i64 %2, double -1.000000e+00, ptr %3, i64 %5, ptr %25, i64 %1)
  call void @gradir.d.add(i64 %1, i64 %2, double 1.000000e+00, ptr %25, i64 %1, ptr %7, i64 %8)
  call void @free(ptr %24)
  call void @free(ptr %25)
  br label %26

26:
  call void @gradir.d.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %7, i64 %8, ptr %11)
  br label %27

27:
  ret void
}
define internal void @gradir.d.exchange(i64 %0, ptr %1, i64 %2, i64 %3, ptr %4, i32 %5) {
6:
  %7 = icmp sgt i64 %3, 0
  br i1 %7, label %8, label %11

8:
  %9 = icmp eq i32 %5, 0
  %10 = icmp sgt i64 %0, 0
  br label %12

11:
  ret void

12:
  %13 = phi i64 [ 0, %8 ], [ %27, %26 ]
  %14 = xor i64 %13, -1
  %15 = add nsw i64 %3, %14
  %16 = select i1 %9, i64 %13, i64 %15
  %17 = getelementptr inbounds i32, ptr %4, i64 %16
  %18 = load i32, ptr %17, align 4
  %19 = add nsw i32 %18, -1
  %20 = sext i32 %19 to i64
  %21 = icmp ne i64 %16, %20
  %22 = getelementptr double, ptr %1, i64 %20
  %23 = and i1 %21, %10
  br i1 %23, label %24, label %26

24:
  %25 = getelementptr double, ptr %1, i64 %16
  br label %29

26:
  %27 = add nsw i64 %13, 1
  %28 = icmp eq i64 %27, %3
  br i1 %28, label %11, label %12

29:
  %30 = phi i64 [ 0, %24 ], [ %36, %29 ]
  %31 = mul nsw i64 %30, %2
  %32 = getelementptr double, ptr %25, i64 %31
  %33 = load double, ptr %32, align 8
  %34 = getelementptr double, ptr %22, i64 %31
  %35 = load double, ptr %34, align 8
  store double %35, ptr %32, align 8
  store double %33, ptr %34, align 8
  %36 = add nsw i64 %30, 1
  %37 = icmp slt i64 %36, %0
  br i1 %37, label %29, label %26
}
define internal ptr @gradir.d.getrf.augmented(i64 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  call void @gradir.d.blas.getrf(i64 %0, i64 %1, ptr %2, i64 %4, ptr %5, ptr %6)
  %8 = call ptr @gradir.d.new_tape()
  %9 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %10 = icmp ne ptr %3, null
  %11 = icmp sgt i64 %9, 0
  %12 = and i1 %11, %10
  br i1 %12, label %13, label %25

13:
  %14 = call ptr @gradir.d.keep_matrix(i64 %0, i64 %1, ptr %2, i64 %4)
  store ptr %14, ptr %8, align 8
  %15 = shl i64 %9, 2
  %16 = call ptr @malloc(i64 %15)
  %17 = getelementptr inbounds i8, ptr %8, i64 8
  store ptr %16, ptr %17, align 8
  br label %18

18:
  %19 = phi i64 [ 0, %13 ], [ %23, %18 ]
  %20 = getelementptr inbounds i32, ptr %5, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = getelementptr inbounds i32, ptr %16, i64 %19
  store i32 %21, ptr %22, align 4
  %23 = add nsw i64 %19, 1
  %24 = icmp eq i64 %23, %9
  br i1 %24, label %25, label %18

25:
  ret ptr %8
}
declare void @gradir.d.blas.getrf(i64, i64, ptr, i64, ptr, ptr)
define internal void @gradir.d.getrf.reverse(i64 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5, ptr %6, ptr %7) {
8:
  %9 = icmp slt i64 %0, %1
  %10 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %11 = icmp ne ptr %3, null
  %12 = icmp sgt i64 %10, 0
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %81

14:
  %15 = load ptr, ptr %7, align 8
  %16 = call ptr @gradir.d.room(i64 %10, i64 %10)
  %17 = call ptr @gradir.d.room(i64 %10, i64 %10)
  %18 = icmp slt i64 %1, %0
  br i1 %18, label %19, label %23

19:
  %20 = sub nsw i64 %0, %10
  %21 = getelementptr inbounds double, ptr %3, i64 %10
  call void @gradir.d.blas.trsm(i8 82, i8 85, i8 84, i8 78, i64 %20, i64 %10, double 1.000000e+00, ptr %15, i64 %0, ptr %21, i64 %4)
  %22 = getelementptr inbounds double, ptr %15, i64 %10
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %10, i64 %10, i64 %20, double -1.000000e+00, ptr %22, i64 %0, ptr %21, i64 %4, double 0.000000e+00, ptr %16, i64 %10)
  call void @gradir.d.add_triangle(i8 85, i8 78, i64 %10, double 1.000000e+00, ptr %16, i64 %10, ptr %3, i64 %4)
  br label %23

23:
  br i1 %9, label %24, label %30

24:
  %25 = sub nsw i64 %1, %10
  %26 = mul nsw i64 %4, %10
  %27 = getelementptr inbounds double, ptr %3, i64 %26
  call void @gradir.d.blas.trsm(i8 76, i8 76, i8 84, i8 85, i64 %10, i64 %25, double 1.000000e+00, ptr %15, i64 %0, ptr %27, i64 %4)
  %28 = mul nsw i64 %10, %0
  %29 = getelementptr inbounds double, ptr %15, i64 %28
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %10, i64 %10, i64 %25, double -1.000000e+00, ptr %27, i64 %4, ptr %29, i64 %0, double 0.000000e+00, ptr %16, i64 %10)
  call void @gradir.d.add_triangle(i8 76, i8 85, i64 %10, double 1.000000e+00, ptr %16, i64 %10, ptr %3, i64 %4)
  br label %30

30:
  br label %31

31:
  %32 = phi i64 [ %39, %38 ], [ 0, %30 ]
  %33 = mul nsw i64 %32, %10
  %34 = mul nsw i64 %32, %4
  %35 = getelementptr double, ptr %3, i64 %34
  br label %41

36:
  call void @gradir.d.blas.trmm(i8 76, i8 76, i8 84, i8 85, i64 %10, i64 %10, double 1.000000e+00, ptr %15, i64 %0, ptr %16, i64 %10)
  call void @gradir.d.blas.trmm(i8 82, i8 85, i8 84, i8 78, i64 %10, i64 %10, double 1.000000e+00, ptr %15, i64 %0, ptr %17, i64 %10)
  %37 = call i64 @llvm.smax.i64(i64 %10, i64 1)
  br label %60

38:
  %39 = add nsw i64 %32, 1
  %40 = icmp eq i64 %39, %10
  br i1 %40, label %36, label %31

41:
  %42 = phi i64 [ 0, %31 ], [ %58, %54 ]
  %43 = icmp ugt i64 %42, %32
  br i1 %43, label %44, label %49

44:
  %45 = getelementptr double, ptr %35, i64 %42
  %46 = load double, ptr %45, align 8
  %47 = add nsw i64 %42, %33
  %48 = getelementptr inbounds double, ptr %16, i64 %47
  store double %46, ptr %48, align 8
  br label %54

49:
  %50 = add nsw i64 %42, %33
  %51 = getelementptr inbounds double, ptr %16, i64 %50
  store double 0.000000e+00, ptr %51, align 8
  %52 = getelementptr double, ptr %35, i64 %42
  %53 = load double, ptr %52, align 8
  br label %54

54:
  %55 = phi i64 [ %50, %49 ], [ %47, %44 ]
  %56 = phi double [ %53, %49 ], [ 0.000000e+00, %44 ]
  %57 = getelementptr inbounds double, ptr %17, i64 %55
  store double %56, ptr %57, align 8
  %58 = add nsw i64 %42, 1
  %59 = icmp eq i64 %58, %10
  br i1 %59, label %38, label %41

60:
  %61 = phi i64 [ 0, %36 ], [ %69, %68 ]
  %62 = mul nsw i64 %61, %10
  %63 = mul nsw i64 %61, %4
  %64 = getelementptr double, ptr %3, i64 %63
  br label %71

65:
  call void @gradir.d.blas.trsm(i8 76, i8 76, i8 84, i8 85, i64 %10, i64 %10, double 1.000000e+00, ptr %15, i64 %0, ptr %3, i64 %4)
  call void @gradir.d.blas.trsm(i8 82, i8 85, i8 84, i8 78, i64 %10, i64 %10, double 1.000000e+00, ptr %15, i64 %0, ptr %3, i64 %4)
  %66 = getelementptr inbounds i8, ptr %7, i64 8
  %67 = load ptr, ptr %66, align 8
  call void @gradir.d.exchange(i64 %1, ptr %3, i64 %4, i64 %10, ptr %67, i32 1)
  call void @free(ptr %16)
  call void @free(ptr %17)
  br label %81

68:
  %69 = add nsw i64 %61, 1
  %70 = icmp eq i64 %69, %37
  br i1 %70, label %65, label %60

71:
  %72 = phi i64 [ 0, %60 ], [ %79, %71 ]
  %73 = icmp ugt i64 %72, %61
  %74 = select i1 %73, ptr %16, ptr %17
  %75 = getelementptr inbounds double, ptr %74, i64 %72
  %76 = getelementptr inbounds double, ptr %75, i64 %62
  %77 = load double, ptr %76, align 8
  %78 = getelementptr double, ptr %64, i64 %72
  store double %77, ptr %78, align 8
  %79 = add nsw i64 %72, 1
  %80 = icmp eq i64 %79, %37
  br i1 %80, label %68, label %71

81:
  call void @gradir.d.release(ptr %7)
  ret void
}
define internal void @gradir.d.getrf.forward(i64 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  call void @gradir.d.blas.getrf(i64 %0, i64 %1, ptr %2, i64 %4, ptr %5, ptr %6)
  %8 = icmp slt i64 %0, %1
  %9 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %10 = icmp eq ptr %3, null
  %11 = icmp slt i64 %9, 1
  %12 = or i1 %11, %10
  br i1 %12, label %65, label %13

13:
  call void @gradir.d.exchange(i64 %1, ptr %3, i64 %4, i64 %9, ptr %5, i32 0)
  %14 = call ptr @gradir.d.keep_matrix(i64 %9, i64 %9, ptr %3, i64 %4)
  %15 = call ptr @gradir.d.room(i64 %9, i64 %9)
  call void @gradir.d.blas.trsm(i8 76, i8 76, i8 78, i8 85, i64 %9, i64 %9, double 1.000000e+00, ptr %2, i64 %4, ptr %14, i64 %9)
  call void @gradir.d.blas.trsm(i8 82, i8 85, i8 78, i8 78, i64 %9, i64 %9, double 1.000000e+00, ptr %2, i64 %4, ptr %14, i64 %9)
  br label %16

16:
  %17 = phi i64 [ 1, %13 ], [ %24, %22 ]
  %18 = phi i64 [ 0, %13 ], [ %23, %22 ]
  %19 = mul nsw i64 %18, %9
  br label %26

20:
  call void @gradir.d.blas.trmm(i8 76, i8 76, i8 78, i8 85, i64 %9, i64 %9, double 1.000000e+00, ptr %2, i64 %4, ptr %14, i64 %9)
  call void @gradir.d.blas.trmm(i8 82, i8 85, i8 78, i8 78, i64 %9, i64 %9, double 1.000000e+00, ptr %2, i64 %4, ptr %15, i64 %9)
  %21 = icmp slt i64 %1, %0
  br i1 %21, label %34, label %38

22:
  %23 = add nsw i64 %18, 1
  %24 = add i64 %17, 1
  %25 = icmp eq i64 %23, %9
  br i1 %25, label %20, label %16

26:
  %27 = phi i64 [ 0, %16 ], [ %32, %26 ]
  %28 = add nsw i64 %27, %19
  %29 = getelementptr inbounds double, ptr %14, i64 %28
  %30 = load double, ptr %29, align 8
  %31 = getelementptr inbounds double, ptr %15, i64 %28
  store double %30, ptr %31, align 8
  store double 0.000000e+00, ptr %29, align 8
  %32 = add nsw i64 %27, 1
  %33 = icmp eq i64 %32, %17
  br i1 %33, label %22, label %26

34:
  %35 = sub nsw i64 %0, %9
  %36 = getelementptr inbounds double, ptr %2, i64 %9
  %37 = getelementptr inbounds double, ptr %3, i64 %9
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %35, i64 %9, i64 %9, double -1.000000e+00, ptr %36, i64 %4, ptr %15, i64 %9, double 1.000000e+00, ptr %37, i64 %4)
  call void @gradir.d.blas.trsm(i8 82, i8 85, i8 78, i8 78, i64 %35, i64 %9, double 1.000000e+00, ptr %2, i64 %4, ptr %37, i64 %4)
  br label %38

38:
  br i1 %8, label %39, label %44

39:
  %40 = sub nsw i64 %1, %9
  %41 = mul nsw i64 %4, %9
  %42 = getelementptr inbounds double, ptr %2, i64 %41
  %43 = getelementptr inbounds double, ptr %3, i64 %41
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %9, i64 %40, i64 %9, double -1.000000e+00, ptr %14, i64 %9, ptr %42, i64 %4, double 1.000000e+00, ptr %43, i64 %4)
  call void @gradir.d.blas.trsm(i8 76, i8 76, i8 78, i8 85, i64 %9, i64 %40, double 1.000000e+00, ptr %2, i64 %4, ptr %43, i64 %4)
  br label %44

44:
  br label %45

45:
  %46 = phi i64 [ %52, %51 ], [ 0, %44 ]
  %47 = mul nsw i64 %46, %9
  %48 = mul nsw i64 %46, %4
  %49 = getelementptr double, ptr %3, i64 %48
  br label %54

50:
  call void @free(ptr %14)
  call void @free(ptr %15)
  br label %65

51:
  %52 = add nsw i64 %46, 1
  %53 = icmp eq i64 %52, %9
  br i1 %53, label %50, label %45

54:
  %55 = phi i64 [ 0, %45 ], [ %63, %54 ]
  %56 = add nsw i64 %55, %47
  %57 = getelementptr inbounds double, ptr %14, i64 %56
  %58 = load double, ptr %57, align 8
  %59 = getelementptr inbounds double, ptr %15, i64 %56
  %60 = load double, ptr %59, align 8
  %61 = fadd double %58, %60
  %62 = getelementptr double, ptr %49, i64 %55
  store double %61, ptr %62, align 8
  %63 = add nsw i64 %55, 1
  %64 = icmp eq i64 %63, %9
  br i1 %64, label %51, label %54

65:
  ret void
}
define internal ptr @gradir.d.getrs.augmented(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = call ptr @gradir.d.new_tape()
  %13 = icmp ne ptr %8, null
  %14 = icmp sgt i64 %1, 0
  %15 = and i1 %14, %13
  br i1 %15, label %16, label %28

16:
  %17 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %1, ptr %3, i64 %5)
  store ptr %17, ptr %12, align 8
  %18 = shl i64 %1, 2
  %19 = call ptr @malloc(i64 %18)
  %20 = getelementptr inbounds i8, ptr %12, i64 16
  store ptr %19, ptr %20, align 8
  br label %21

21:
  %22 = phi i64 [ 0, %16 ], [ %26, %21 ]
  %23 = getelementptr inbounds i32, ptr %6, i64 %22
  %24 = load i32, ptr %23, align 4
  %25 = getelementptr inbounds i32, ptr %19, i64 %22
  store i32 %24, ptr %25, align 4
  %26 = add nsw i64 %22, 1
  %27 = icmp eq i64 %26, %1
  br i1 %27, label %28, label %21

28:
  call void @gradir.d.blas.getrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %7, i64 %9, ptr %10)
  %29 = icmp ne ptr %4, null
  %30 = and i1 %29, %13
  br i1 %30, label %31, label %34

31:
  %32 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %2, ptr %7, i64 %9)
  %33 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %32, ptr %33, align 8
  br label %34

34:
  ret ptr %12
}
declare void @gradir.d.blas.getrs(i8, i64, i64, ptr, i64, ptr, ptr, i64, ptr)
define internal void @gradir.d.getrs.reverse(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11) {
12:
  %13 = alloca i32, align 4
  %14 = icmp ne ptr %8, null
  %15 = icmp sgt i64 %1, 0
  %16 = and i1 %15, %14
  %17 = icmp sgt i64 %2, 0
  %18 = and i1 %17, %16
  br i1 %18, label %19, label %38

19:
  %20 = getelementptr inbounds i8, ptr %11, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = and i8 %0, -33
  %23 = icmp eq i8 %22, 78
  %24 = select i1 %23, i8 84, i8 78
  %25 = load ptr, ptr %11, align 8
  call void @gradir.d.blas.getrs(i8 %24, i64 %1, i64 %2, ptr %25, i64 %1, ptr %21, ptr %8, i64 %9, ptr %13)
  %26 = icmp eq ptr %4, null
  br i1 %26, label %37, label %27

27:
  %28 = call ptr @gradir.d.room(i64 %1, i64 %1)
  %29 = getelementptr inbounds i8, ptr %11, i64 8
  %30 = load ptr, ptr %29, align 8
  br i1 %23, label %32, label %31

31:
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %2, double -1.000000e+00, ptr %30, i64 %1, ptr %8, i64 %9, double 0.000000e+00, ptr %28, i64 %1)
  br label %33

32:
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %2, double -1.000000e+00, ptr %8, i64 %9, ptr %30, i64 %1, double 0.000000e+00, ptr %28, i64 %1)
  br label %33

33:
  call void @gradir.d.exchange(i64 %1, ptr %28, i64 %1, i64 %1, ptr %21, i32 0)
  %34 = call ptr @gradir.d.keep_matrix(i64 %1, i64 %1, ptr %28, i64 %1)
  %35 = load ptr, ptr %11, align 8
  call void @gradir.d.blas.trmm(i8 82, i8 85, i8 84, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %35, i64 %1, ptr %28, i64 %1)
  %36 = load ptr, ptr %11, align 8
  call void @gradir.d.blas.trmm(i8 76, i8 76, i8 84, i8 85, i64 %1, i64 %1, double 1.000000e+00, ptr %36, i64 %1, ptr %34, i64 %1)
  call void @gradir.d.add_triangle(i8 76, i8 85, i64 %1, double 1.000000e+00, ptr %28, i64 %1, ptr %4, i64 %5)
  call void @gradir.d.add_triangle(i8 85, i8 78, i64 %1, double 1.000000e+00, ptr %34, i64 %1, ptr %4, i64 %5)
  call void @free(ptr %28)
  call void @free(ptr %34)
  br label %37

37:
  br label %38

38:
  call void @gradir.d.release(ptr %11)
  ret void
}
define internal void @gradir.d.getrs.forward(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = alloca i32, align 4
  call void @gradir.d.blas.getrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %7, i64 %9, ptr %10)
  %13 = icmp eq ptr %8, null
  %14 = icmp slt i64 %1, 1
  %15 = or i1 %14, %13
  %16 = icmp slt i64 %2, 1
  %17 = or i1 %16, %15
  br i1 %17, label %24, label %18

18:
  %19 = icmp eq ptr %4, null
  br i1 %19, label %23, label %20

20:
  %21 = call ptr @gradir.d.triangle(i8 76, i8 85, i64 %1, ptr %4, i64 %5)
  %22 = call ptr @gradir.d.triangle(i8 85, i8 78, i64 %1, ptr %4, i64 %5)
  call void @gradir.d.blas.trmm(i8 82, i8 85, i8 78, i8 78, i64 %1, i64 %1, double 1.000000e+00, ptr %3, i64 %5, ptr %21, i64 %1)
  call void @gradir.d.blas.trmm(i8 76, i8 76, i8 78, i8 85, i64 %1, i64 %1, double 1.000000e+00, ptr %3, i64 %5, ptr %22, i64 %1)
  call void @gradir.d.add(i64 %1, i64 %1, double 1.000000e+00, ptr %22, i64 %1, ptr %21, i64 %1)
  call void @gradir.d.exchange(i64 %1, ptr %21, i64 %1, i64 %1, ptr %6, i32 1)
  call void @gradir.d.blas.gemm(i8 %0, i8 78, i64 %1, i64 %2, i64 %1, double -1.000000e+00, ptr %21, i64 %1, ptr %7, i64 %9, double 1.000000e+00, ptr %8, i64 %9)
  call void @free(ptr %21)
  call void @free(ptr %22)
  br label %23

23:
  call void @gradir.d.blas.getrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %8, i64 %9, ptr %12)
  br label %24

24:
  ret void
}
define internal void @gradir.d.clear_matrix(i64 %0, i64 %1, ptr %2, i64 %3) {
4:
  %5 = icmp eq ptr %2, null
  br i1 %5, label %7, label %6

6:
  call void @gradir.d.scale(i64 %0, i64 %1, double 0.000000e+00, ptr %2, i64 %3)
  br label %7

7:
  ret void
}
define internal void @gradir.d.clear_work(i64 %0, i64 %1, ptr %2) {
3:
  %4 = icmp eq i64 %0, -1
  %5 = icmp eq i64 %1, -1
  %6 = or i1 %4, %5
  %7 = select i1 %6, i64 1, i64 %0
  call void @gradir.d.clear_matrix(i64 %7, i64 1, ptr %2, i64 1)
  ret void
}
define internal ptr @gradir.d.spectrum(i32 %0, i32 %1, i8 %2, i64 %3, ptr %4, i64 %5, i64 %6, i64 %7) {
8:
  %9 = alloca i32, align 4
  %10 = icmp eq i64 %6, -1
  %11 = icmp eq i64 %7, -1
  %12 = or i1 %10, %11
  %13 = icmp slt i64 %3, 1
  %14 = or i1 %13, %12
  br i1 %14, label %28, label %15

15:
  %16 = call ptr @gradir.d.new_tape()
  %17 = icmp eq i32 %0, 0
  br i1 %17, label %28, label %18

18:
  %19 = call ptr @gradir.d.room(i64 %3, i64 1)
  %20 = getelementptr inbounds i8, ptr %16, i64 8
  store ptr %19, ptr %20, align 8
  %21 = icmp eq i32 %1, 0
  br i1 %21, label %24, label %22

22:
  %23 = call ptr @gradir.d.room(i64 %3, i64 %3)
  store ptr %23, ptr %16, align 8
  br label %28

24:
  %25 = call ptr @gradir.d.keep_matrix(i64 %3, i64 %3, ptr %4, i64 %5)
  store ptr %25, ptr %16, align 8
  %26 = mul nsw i64 %3, 3
  %27 = call ptr @gradir.d.room(i64 %26, i64 1)
  call void @gradir.d.blas.syev(i8 86, i8 %2, i64 %3, ptr %25, i64 %3, ptr %19, ptr %27, i64 %26, ptr %9)
  call void @free(ptr %27)
  br label %28

28:
  %29 = phi ptr [ null, %8 ], [ %16, %22 ], [ %16, %24 ], [ %16, %15 ]
  ret ptr %29
}
declare void @gradir.d.blas.syev(i8, i8, i64, ptr, i64, ptr, ptr, i64, ptr)
define internal void @gradir.d.told_spectrum(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5) {
6:
  %7 = icmp eq ptr %0, null
  br i1 %7, label %65, label %8

8:
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %65, label %12

12:
  %13 = icmp sge i64 %2, %1
  %14 = icmp slt i64 %2, 1
  %15 = or i1 %13, %14
  br i1 %15, label %34, label %16

16:
  %17 = load double, ptr %3, align 8
  br label %18

18:
  %19 = phi i64 [ 1, %16 ], [ %31, %18 ]
  %20 = phi i64 [ 0, %16 ], [ %30, %18 ]
  %21 = getelementptr inbounds double, ptr %10, i64 %19
  %22 = load double, ptr %21, align 8
  %23 = fsub double %22, %17
  %24 = call double @llvm.fabs.f64(double %23)
  %25 = getelementptr inbounds double, ptr %10, i64 %20
  %26 = load double, ptr %25, align 8
  %27 = fsub double %26, %17
  %28 = call double @llvm.fabs.f64(double %27)
  %29 = fcmp olt double %24, %28
  %30 = select i1 %29, i64 %19, i64 %20
  %31 = add nsw i64 %19, 1
  %32 = add nsw i64 %31, %2
  %33 = icmp sgt i64 %32, %1
  br i1 %33, label %34, label %18

34:
  %35 = phi i64 [ 0, %12 ], [ %30, %18 ]
  %36 = getelementptr inbounds i8, ptr %0, i64 24
  store i64 %35, ptr %36, align 8
  %37 = getelementptr inbounds i8, ptr %0, i64 32
  store i64 %2, ptr %37, align 8
  %38 = icmp ne ptr %4, null
  %39 = icmp sgt i64 %2, 0
  %40 = and i1 %38, %39
  br i1 %40, label %41, label %65

41:
  %42 = icmp sgt i64 %1, 0
  br label %43

43:
  %44 = phi i64 [ 0, %41 ], [ %56, %55 ]
  %45 = getelementptr inbounds double, ptr %3, i64 %44
  %46 = load double, ptr %45, align 8
  %47 = add nsw i64 %44, %35
  %48 = getelementptr inbounds double, ptr %10, i64 %47
  store double %46, ptr %48, align 8
  br i1 %42, label %49, label %55

49:
  %50 = mul nsw i64 %44, %5
  %51 = getelementptr double, ptr %4, i64 %50
  %52 = load ptr, ptr %0, align 8
  %53 = mul nsw i64 %47, %1
  %54 = getelementptr double, ptr %52, i64 %53
  br label %58

55:
  %56 = add nsw i64 %44, 1
  %57 = icmp slt i64 %56, %2
  br i1 %57, label %43, label %65

58:
  %59 = phi i64 [ 0, %49 ], [ %63, %58 ]
  %60 = getelementptr double, ptr %51, i64 %59
  %61 = load double, ptr %60, align 8
  %62 = getelementptr double, ptr %54, i64 %59
  store double %61, ptr %62, align 8
  %63 = add nsw i64 %59, 1
  %64 = icmp eq i64 %63, %1
  br i1 %64, label %55, label %58

65:
  ret void
}
declare double @llvm.fabs.f64(double)
define internal void @gradir.d.spectrum_reverse(i8 %0, i64 %1, ptr %2, i64 %3, ptr %4, ptr %5, ptr %6) {
7:
  %8 = getelementptr inbounds i8, ptr %6, i64 32
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds i8, ptr %6, i64 24
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %6, i64 8
  %13 = load ptr, ptr %12, align 8
  %14 = icmp eq ptr %13, null
  %15 = icmp slt i64 %9, 1
  %16 = select i1 %14, i1 true, i1 %15
  br i1 %16, label %87, label %17

17:
  %18 = load ptr, ptr %6, align 8
  %19 = mul nsw i64 %11, %1
  %20 = getelementptr inbounds double, ptr %18, i64 %19
  %21 = call ptr @gradir.d.room(i64 %1, i64 %9)
  %22 = call ptr @gradir.d.room(i64 %1, i64 %9)
  %23 = call ptr @gradir.d.room(i64 %1, i64 %1)
  %24 = icmp eq ptr %5, null
  br i1 %24, label %26, label %25

25:
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %1, i64 %9, i64 %1, double 1.000000e+00, ptr %18, i64 %1, ptr %5, i64 %1, double 0.000000e+00, ptr %21, i64 %1)
  br label %26

26:
  %27 = icmp sgt i64 %1, 0
  %28 = icmp eq ptr %4, null
  br label %29

29:
  %30 = phi i64 [ 0, %26 ], [ %41, %40 ]
  br i1 %27, label %31, label %40

31:
  %32 = add nsw i64 %30, %11
  %33 = getelementptr inbounds double, ptr %13, i64 %32
  %34 = mul nsw i64 %30, %1
  %35 = getelementptr double, ptr %21, i64 %32
  %36 = getelementptr inbounds double, ptr %4, i64 %30
  %37 = getelementptr double, ptr %22, i64 %34
  %38 = load double, ptr %33, align 8
  br label %43

39:
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %1, i64 %9, i64 %1, double 1.000000e+00, ptr %18, i64 %1, ptr %22, i64 %1, double 0.000000e+00, ptr %21, i64 %1)
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %9, double 1.000000e+00, ptr %21, i64 %1, ptr %20, i64 %1, double 0.000000e+00, ptr %23, i64 %1)
  call void @gradir.d.add_folded(i8 %0, i64 %1, double 1.000000e+00, ptr %23, i64 %1, ptr %2, i64 %3)
  call void @gradir.d.clear_matrix(i64 %9, i64 1, ptr %4, i64 %9)
  call void @free(ptr %21)
  call void @free(ptr %22)
  call void @free(ptr %23)
  br label %87

40:
  %41 = add nsw i64 %30, 1
  %42 = icmp eq i64 %41, %9
  br i1 %42, label %39, label %29

43:
  %44 = phi i64 [ 0, %31 ], [ %85, %84 ]
  %45 = sub nsw i64 %44, %11
  %46 = getelementptr inbounds double, ptr %13, i64 %44
  %47 = load double, ptr %46, align 8
  %48 = fsub double %38, %47
  %49 = icmp eq i64 %45, %30
  br i1 %49, label %50, label %56

50:
  br i1 %28, label %53, label %51

51:
  %52 = load double, ptr %36, align 8
  br label %53

53:
  %54 = phi double [ %52, %51 ], [ 0.000000e+00, %50 ]
  %55 = getelementptr double, ptr %37, i64 %44
  store double %54, ptr %55, align 8
  br label %84

56:
  %57 = icmp sgt i64 %45, -1
  %58 = icmp slt i64 %45, %9
  %59 = select i1 %57, i1 %58, i1 false
  %60 = add nsw i64 %44, %34
  %61 = getelementptr inbounds double, ptr %21, i64 %60
  %62 = load double, ptr %61, align 8
  br i1 %59, label %71, label %63

63:
  %64 = fcmp oeq double %62, 0.000000e+00
  %65 = fcmp oeq double %48, 0.000000e+00
  %66 = and i1 %65, %64
  %67 = fmul double %62, 0x7FB0000000000000
  %68 = fdiv double %62, %48
  %69 = select i1 %66, double %67, double %68
  %70 = getelementptr inbounds double, ptr %22, i64 %60
  store double %69, ptr %70, align 8
  br label %84

71:
  %72 = mul nsw i64 %45, %1
  %73 = getelementptr double, ptr %35, i64 %72
  %74 = load double, ptr %73, align 8
  %75 = fsub double %62, %74
  %76 = fcmp oeq double %75, 0.000000e+00
  %77 = fcmp oeq double %48, 0.000000e+00
  %78 = and i1 %77, %76
  %79 = fmul double %75, 0x7FB0000000000000
  %80 = fdiv double %75, %48
  %81 = select i1 %78, double %79, double %80
  %82 = fmul double %81, 5.000000e-01
  %83 = getelementptr inbounds double, ptr %22, i64 %60
  store double %82, ptr %83, align 8
  br label %84

84:
  %85 = add nsw i64 %44, 1
  %86 = icmp eq i64 %85, %1
  br i1 %86, label %40, label %43

87:
  ret void
}
define internal void @gradir.d.spectrum_forward(i8 %0, i64 %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  %9 = getelementptr inbounds i8, ptr %7, i64 32
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds i8, ptr %7, i64 24
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  %16 = icmp slt i64 %10, 1
  %17 = select i1 %15, i1 true, i1 %16
  br i1 %17, label %84, label %18

18:
  %19 = load ptr, ptr %7, align 8
  %20 = mul nsw i64 %12, %1
  %21 = getelementptr inbounds double, ptr %19, i64 %20
  %22 = call ptr @gradir.d.unfolded(i8 %0, i64 %1, ptr %2, i64 %3)
  %23 = call ptr @gradir.d.room(i64 %1, i64 %10)
  %24 = call ptr @gradir.d.room(i64 %1, i64 %10)
  %25 = icmp sgt i64 %1, 0
  br i1 %25, label %26, label %28

26:
  %27 = add i64 %1, 1
  br label %33

28:
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %1, i64 %10, i64 %1, double 1.000000e+00, ptr %22, i64 %1, ptr %21, i64 %1, double 0.000000e+00, ptr %24, i64 %1)
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %1, i64 %10, i64 %1, double 1.000000e+00, ptr %19, i64 %1, ptr %24, i64 %1, double 0.000000e+00, ptr %23, i64 %1)
  %29 = icmp eq ptr %4, null
  %30 = getelementptr double, ptr %23, i64 %12
  %31 = icmp ne ptr %5, null
  %32 = and i1 %31, %25
  br label %43

33:
  %34 = phi i64 [ 0, %26 ], [ %39, %33 ]
  %35 = mul i64 %34, %27
  %36 = getelementptr inbounds double, ptr %22, i64 %35
  %37 = load double, ptr %36, align 8
  %38 = fmul double %37, 5.000000e-01
  store double %38, ptr %36, align 8
  %39 = add nsw i64 %34, 1
  %40 = icmp eq i64 %39, %1
  br i1 %40, label %28, label %33

41:
  %42 = icmp eq ptr %5, null
  br i1 %42, label %83, label %82

43:
  %44 = phi i64 [ 0, %28 ], [ %59, %58 ]
  br i1 %29, label %51, label %45

45:
  %46 = mul nsw i64 %44, %1
  %47 = getelementptr double, ptr %30, i64 %44
  %48 = getelementptr double, ptr %47, i64 %46
  %49 = load double, ptr %48, align 8
  %50 = getelementptr inbounds double, ptr %4, i64 %44
  store double %49, ptr %50, align 8
  br label %51

51:
  br i1 %32, label %52, label %58

52:
  %53 = add nsw i64 %44, %12
  %54 = mul nsw i64 %44, %1
  %55 = getelementptr double, ptr %23, i64 %54
  %56 = getelementptr inbounds double, ptr %14, i64 %53
  %57 = getelementptr double, ptr %24, i64 %54
  br label %61

58:
  %59 = add nsw i64 %44, 1
  %60 = icmp eq i64 %59, %10
  br i1 %60, label %41, label %43

61:
  %62 = phi i64 [ 0, %52 ], [ %80, %77 ]
  %63 = icmp eq i64 %62, %53
  br i1 %63, label %77, label %64

64:
  %65 = getelementptr double, ptr %55, i64 %62
  %66 = load double, ptr %65, align 8
  %67 = load double, ptr %56, align 8
  %68 = getelementptr inbounds double, ptr %14, i64 %62
  %69 = load double, ptr %68, align 8
  %70 = fsub double %67, %69
  %71 = fcmp oeq double %66, 0.000000e+00
  %72 = fcmp oeq double %70, 0.000000e+00
  %73 = and i1 %71, %72
  %74 = fmul double %66, 0x7FB0000000000000
  %75 = fdiv double %66, %70
  %76 = select i1 %73, double %74, double %75
  br label %77

77:
  %78 = phi double [ %76, %64 ], [ 0.000000e+00, %61 ]
  %79 = getelementptr double, ptr %57, i64 %62
  store double %78, ptr %79, align 8
  %80 = add nsw i64 %62, 1
  %81 = icmp slt i64 %80, %1
  br i1 %81, label %61, label %58

82:
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %1, i64 %10, i64 %1, double 1.000000e+00, ptr %19, i64 %1, ptr %24, i64 %1, double 0.000000e+00, ptr %5, i64 %6)
  br label %83

83:
  call void @free(ptr %22)
  call void @free(ptr %23)
  call void @free(ptr %24)
  br label %84

84:
  ret void
}
define internal void @gradir.d.clear_triangle(i8 %0, i64 %1, ptr %2, i64 %3) {
4:
  %5 = icmp ne ptr %2, null
  %6 = icmp sgt i64 %1, 0
  %7 = and i1 %5, %6
  br i1 %7, label %8, label %15

8:
  %9 = and i8 %0, -33
  %10 = icmp eq i8 %9, 85
  br label %11

11:
  %12 = phi i64 [ 0, %8 ], [ %17, %16 ]
  %13 = mul nsw i64 %12, %3
  %14 = getelementptr double, ptr %2, i64 %13
  br label %19

15:
  ret void

16:
  %17 = add nsw i64 %12, 1
  %18 = icmp slt i64 %17, %1
  br i1 %18, label %11, label %15

19:
  %20 = phi i64 [ 0, %11 ], [ %29, %28 ]
  %21 = icmp eq i64 %20, %12
  br i1 %21, label %26, label %22

22:
  %23 = icmp ule i64 %20, %12
  %24 = icmp uge i64 %20, %12
  %25 = select i1 %10, i1 %24, i1 %23
  br i1 %25, label %28, label %26

26:
  %27 = getelementptr double, ptr %14, i64 %20
  store double 0.000000e+00, ptr %27, align 8
  br label %28

28:
  %29 = add nsw i64 %20, 1
  %30 = icmp eq i64 %29, %1
  br i1 %30, label %16, label %19
}
define internal void @gradir.d.syev_reverse(i8 %0, i8 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  %8 = icmp eq ptr %6, null
  br i1 %8, label %25, label %9

9:
  %10 = and i8 %0, -33
  %11 = icmp eq i8 %10, 86
  %12 = icmp ne ptr %3, null
  %13 = and i1 %11, %12
  br i1 %13, label %14, label %16

14:
  %15 = call ptr @gradir.d.keep_matrix(i64 %2, i64 %2, ptr %3, i64 %4)
  br label %17

16:
  br i1 %11, label %17, label %19

17:
  %18 = phi ptr [ %15, %14 ], [ null, %16 ]
  call void @gradir.d.clear_matrix(i64 %2, i64 %2, ptr %3, i64 %4)
  br label %20

19:
  call void @gradir.d.clear_triangle(i8 %1, i64 %2, ptr %3, i64 %4)
  br label %20

20:
  %21 = phi ptr [ null, %19 ], [ %18, %17 ]
  br i1 %12, label %22, label %23

22:
  call void @gradir.d.spectrum_reverse(i8 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %21, ptr %6)
  br label %24

23:
  call void @gradir.d.clear_matrix(i64 %2, i64 1, ptr %5, i64 %2)
  br label %24

24:
  call void @free(ptr %21)
  call void @gradir.d.release(ptr %6)
  br label %25

25:
  ret void
}
define internal void @gradir.d.syev_forward(i8 %0, i8 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  %8 = icmp eq ptr %6, null
  br i1 %8, label %19, label %9

9:
  %10 = and i8 %0, -33
  %11 = icmp eq i8 %10, 86
  %12 = icmp eq ptr %3, null
  br i1 %12, label %15, label %13

13:
  %14 = select i1 %11, ptr %3, ptr null
  call void @gradir.d.spectrum_forward(i8 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %14, i64 %4, ptr %6)
  br label %16

15:
  call void @gradir.d.clear_matrix(i64 %2, i64 1, ptr %5, i64 %2)
  br label %16

16:
  br i1 %11, label %18, label %17

17:
  call void @gradir.d.clear_triangle(i8 %1, i64 %2, ptr %3, i64 %4)
  br label %18

18:
  call void @gradir.d.release(ptr %6)
  br label %19

19:
  ret void
}
define internal ptr @gradir.d.syev.augmented(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11) {
12:
  %13 = icmp ne ptr %4, null
  %14 = zext i1 %13 to i32
  %15 = and i8 %0, -33
  %16 = icmp eq i8 %15, 86
  %17 = zext i1 %16 to i32
  %18 = call ptr @gradir.d.spectrum(i32 %14, i32 %17, i8 %1, i64 %2, ptr %3, i64 %5, i64 %10, i64 0)
  call void @gradir.d.blas.syev(i8 %0, i8 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %8, i64 %10, ptr %11)
  %19 = select i1 %16, ptr %3, ptr null
  call void @gradir.d.told_spectrum(ptr %18, i64 %2, i64 %2, ptr %6, ptr %19, i64 %5)
  ret ptr %18
}
define internal void @gradir.d.syev.reverse(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12) {
13:
  call void @gradir.d.clear_work(i64 %10, i64 0, ptr %9)
  call void @gradir.d.syev_reverse(i8 %0, i8 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr %12)
  ret void
}
define internal void @gradir.d.syev.forward(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11) {
12:
  %13 = call ptr @gradir.d.syev.augmented(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr poison, ptr %8, ptr poison, i64 %10, ptr %11)
  call void @gradir.d.clear_work(i64 %10, i64 0, ptr %9)
  call void @gradir.d.syev_forward(i8 %0, i8 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr %13)
  ret void
}
define internal ptr @gradir.d.syevd.augmented(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, i64 %12, ptr %13) {
14:
  %15 = icmp ne ptr %4, null
  %16 = zext i1 %15 to i32
  %17 = and i8 %0, -33
  %18 = icmp eq i8 %17, 86
  %19 = zext i1 %18 to i32
  %20 = call ptr @gradir.d.spectrum(i32 %16, i32 %19, i8 %1, i64 %2, ptr %3, i64 %5, i64 %10, i64 %12)
  call void @gradir.d.blas.syevd(i8 %0, i8 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %8, i64 %10, ptr %11, i64 %12, ptr %13)
  %21 = select i1 %18, ptr %3, ptr null
  call void @gradir.d.told_spectrum(ptr %20, i64 %2, i64 %2, ptr %6, ptr %21, i64 %5)
  ret ptr %20
}
declare void @gradir.d.blas.syevd(i8, i8, i64, ptr, i64, ptr, ptr, i64, ptr, i64, ptr)
define internal void @gradir.d.syevd.reverse(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, i64 %12, ptr %13, ptr %14) {
15:
  call void @gradir.d.clear_work(i64 %10, i64 %12, ptr %9)
  call void @gradir.d.syev_reverse(i8 %0, i8 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr %14)
  ret void
}
define internal void @gradir.d.syevd.forward(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, i64 %12, ptr %13) {
14:
  %15 = call ptr @gradir.d.syevd.augmented(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr poison, ptr %8, ptr poison, i64 %10, ptr %11, i64 %12, ptr %13)
  call void @gradir.d.clear_work(i64 %10, i64 %12, ptr %9)
  call void @gradir.d.syev_forward(i8 %0, i8 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr %15)
  ret void
}
define internal ptr @gradir.d.syevr.augmented(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, i64 %17, ptr %18, ptr %19, ptr %20, i64 %21, ptr %22, i64 %23, ptr %24) {
25:
  %26 = icmp ne ptr %5, null
  %27 = zext i1 %26 to i32
  %28 = and i8 %0, -33
  %29 = icmp eq i8 %28, 86
  %30 = and i8 %1, -33
  %31 = icmp eq i8 %30, 65
  %32 = and i1 %29, %31
  %33 = zext i1 %32 to i32
  %34 = call ptr @gradir.d.spectrum(i32 %27, i32 %33, i8 %2, i64 %3, ptr %4, i64 %6, i64 %21, i64 %23)
  call void @gradir.d.blas.syevr(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %15, i64 %17, ptr %18, ptr %19, i64 %21, ptr %22, i64 %23, ptr %24)
  %35 = icmp eq ptr %34, null
  br i1 %35, label %41, label %36

36:
  %37 = load i32, ptr %12, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds i8, ptr %34, i64 32
  store i64 %38, ptr %39, align 8
  %40 = select i1 %29, ptr %15, ptr null
  call void @gradir.d.told_spectrum(ptr %34, i64 %3, i64 %38, ptr %13, ptr %40, i64 %17)
  br label %41

41:
  ret ptr %34
}
declare void @gradir.d.blas.syevr(i8, i8, i8, i64, ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, i64, ptr, i64, ptr)
define internal void @gradir.d.syevr.reverse(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, i64 %17, ptr %18, ptr %19, ptr %20, i64 %21, ptr %22, i64 %23, ptr %24, ptr %25) {
26:
  call void @gradir.d.clear_work(i64 %21, i64 %23, ptr %20)
  %27 = icmp eq ptr %25, null
  br i1 %27, label %44, label %28

28:
  %29 = getelementptr inbounds i8, ptr %25, i64 32
  %30 = load i64, ptr %29, align 8
  %31 = icmp ne ptr %16, null
  %32 = and i8 %0, -33
  %33 = icmp eq i8 %32, 86
  %34 = and i1 %33, %31
  br i1 %34, label %35, label %39

35:
  %36 = call ptr @gradir.d.keep_matrix(i64 %3, i64 %30, ptr %16, i64 %17)
  %37 = icmp eq ptr %36, null
  br i1 %37, label %39, label %38

38:
  call void @gradir.d.clear_matrix(i64 %3, i64 %30, ptr %16, i64 %17)
  br label %39

39:
  %40 = phi ptr [ null, %35 ], [ %36, %38 ], [ null, %28 ]
  call void @gradir.d.clear_triangle(i8 %2, i64 %3, ptr %5, i64 %6)
  %41 = icmp eq ptr %5, null
  br i1 %41, label %43, label %42

42:
  call void @gradir.d.spectrum_reverse(i8 %2, i64 %3, ptr %5, i64 %6, ptr %14, ptr %40, ptr %25)
  br label %43

43:
  call void @gradir.d.clear_matrix(i64 %3, i64 1, ptr %14, i64 %3)
  call void @free(ptr %40)
  call void @gradir.d.release(ptr %25)
  br label %44

44:
  ret void
}
define internal void @gradir.d.syevr.forward(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, i64 %17, ptr %18, ptr %19, ptr %20, i64 %21, ptr %22, i64 %23, ptr %24) {
25:
  %26 = call ptr @gradir.d.syevr.augmented(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr poison, ptr %15, ptr poison, i64 %17, ptr %18, ptr %19, ptr poison, i64 %21, ptr %22, i64 %23, ptr %24)
  call void @gradir.d.clear_work(i64 %21, i64 %23, ptr %20)
  %27 = icmp eq ptr %26, null
  br i1 %27, label %39, label %28

28:
  call void @gradir.d.clear_matrix(i64 %3, i64 1, ptr %14, i64 %3)
  %29 = and i8 %0, -33
  %30 = icmp eq i8 %29, 86
  br i1 %30, label %31, label %34

31:
  %32 = getelementptr inbounds i8, ptr %26, i64 32
  %33 = load i64, ptr %32, align 8
  call void @gradir.d.clear_matrix(i64 %3, i64 %33, ptr %16, i64 %17)
  br label %34

34:
  %35 = icmp eq ptr %5, null
  br i1 %35, label %38, label %36

36:
  %37 = select i1 %30, ptr %16, ptr null
  call void @gradir.d.spectrum_forward(i8 %2, i64 %3, ptr %5, i64 %6, ptr %14, ptr %37, i64 %17, ptr %26)
  br label %38

38:
  call void @gradir.d.clear_triangle(i8 %2, i64 %3, ptr %5, i64 %6)
  call void @gradir.d.release(ptr %26)
  br label %39

39:
  ret void
}
define internal ptr @gradir.d.columns(i64 %0, i64 %1, i32 %2, ptr byval(%struct.d_vectors) %3) {
4:
  %5 = getelementptr inbounds i8, ptr %3, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = call i64 @llvm.smax.i64(i64 %6, i64 %1)
  %8 = call ptr @gradir.d.room(i64 %0, i64 %7)
  %9 = load ptr, ptr %3, align 8
  %10 = icmp ne ptr %9, null
  %11 = icmp sgt i64 %6, 0
  %12 = and i1 %10, %11
  br i1 %12, label %13, label %26

13:
  %14 = icmp sgt i64 %0, 0
  %15 = icmp eq i32 %2, 0
  %16 = getelementptr inbounds i8, ptr %3, i64 8
  %17 = load i64, ptr %16, align 8
  br label %18

18:
  %19 = phi i64 [ 0, %13 ], [ %28, %27 ]
  br i1 %14, label %20, label %27

20:
  %21 = getelementptr double, ptr %9, i64 %19
  %22 = mul nsw i64 %17, %19
  %23 = getelementptr double, ptr %9, i64 %22
  %24 = mul nsw i64 %19, %0
  %25 = getelementptr double, ptr %8, i64 %24
  br label %30

26:
  ret ptr %8

27:
  %28 = add nsw i64 %19, 1
  %29 = icmp slt i64 %28, %6
  br i1 %29, label %18, label %26

30:
  %31 = phi i64 [ 0, %20 ], [ %38, %30 ]
  %32 = mul nsw i64 %17, %31
  %33 = getelementptr double, ptr %21, i64 %32
  %34 = getelementptr double, ptr %23, i64 %31
  %35 = select i1 %15, ptr %34, ptr %33
  %36 = load double, ptr %35, align 8
  %37 = getelementptr double, ptr %25, i64 %31
  store double %36, ptr %37, align 8
  %38 = add nsw i64 %31, 1
  %39 = icmp eq i64 %38, %0
  br i1 %39, label %27, label %30
}
define internal void @gradir.d.put_columns(i64 %0, i32 %1, ptr %2, ptr byval(%struct.d_vectors) %3) {
4:
  %5 = load ptr, ptr %3, align 8
  %6 = icmp ne ptr %5, null
  %7 = getelementptr inbounds i8, ptr %3, i64 16
  %8 = load i64, ptr %7, align 8
  %9 = icmp sgt i64 %8, 0
  %10 = select i1 %6, i1 %9, i1 false
  br i1 %10, label %11, label %25

11:
  %12 = icmp sgt i64 %0, 0
  %13 = icmp eq i32 %1, 0
  %14 = icmp eq ptr %2, null
  %15 = getelementptr inbounds i8, ptr %3, i64 8
  %16 = load i64, ptr %15, align 8
  br label %17

17:
  %18 = phi i64 [ 0, %11 ], [ %27, %26 ]
  br i1 %12, label %19, label %26

19:
  %20 = mul nsw i64 %18, %0
  %21 = getelementptr double, ptr %2, i64 %20
  %22 = getelementptr double, ptr %5, i64 %18
  %23 = mul nsw i64 %16, %18
  %24 = getelementptr double, ptr %5, i64 %23
  br label %29

25:
  ret void

26:
  %27 = add nsw i64 %18, 1
  %28 = icmp slt i64 %27, %8
  br i1 %28, label %17, label %25

29:
  %30 = phi i64 [ 0, %19 ], [ %47, %46 ]
  br i1 %13, label %39, label %31

31:
  br i1 %14, label %35, label %32

32:
  %33 = getelementptr double, ptr %21, i64 %30
  %34 = load double, ptr %33, align 8
  br label %35

35:
  %36 = phi double [ %34, %32 ], [ 0.000000e+00, %31 ]
  %37 = mul nsw i64 %16, %30
  %38 = getelementptr double, ptr %22, i64 %37
  store double %36, ptr %38, align 8
  br label %46

39:
  br i1 %14, label %43, label %40

40:
  %41 = getelementptr double, ptr %21, i64 %30
  %42 = load double, ptr %41, align 8
  br label %43

43:
  %44 = phi double [ %42, %40 ], [ 0.000000e+00, %39 ]
  %45 = getelementptr double, ptr %24, i64 %30
  store double %44, ptr %45, align 8
  br label %46

46:
  %47 = add nsw i64 %30, 1
  %48 = icmp eq i64 %47, %0
  br i1 %48, label %26, label %29
}
define internal ptr @gradir.d.svd(i32 %0, i32 %1, i64 %2, i64 %3, ptr %4, i64 %5, i64 %6) {
7:
  %8 = alloca i32, align 4
  %9 = alloca %struct.d_vectors, align 8
  %10 = call i64 @llvm.smin.i64(i64 %2, i64 %3)
  %11 = add nsw i64 %3, %2
  %12 = mul nsw i64 %11, 5
  %13 = icmp eq i64 %6, -1
  %14 = icmp slt i64 %10, 1
  %15 = or i1 %14, %13
  br i1 %15, label %32, label %16

16:
  %17 = call ptr @gradir.d.new_tape()
  %18 = icmp eq i32 %0, 0
  br i1 %18, label %32, label %19

19:
  %20 = call ptr @gradir.d.room(i64 %10, i64 1)
  %21 = getelementptr inbounds i8, ptr %17, i64 8
  store ptr %20, ptr %21, align 8
  %22 = icmp eq i32 %1, 0
  br i1 %22, label %23, label %32

23:
  %24 = call ptr @gradir.d.keep_matrix(i64 %2, i64 %3, ptr %4, i64 %5)
  %25 = call ptr @gradir.d.room(i64 %10, i64 %3)
  %26 = call ptr @gradir.d.room(i64 %12, i64 1)
  %27 = call ptr @gradir.d.room(i64 %2, i64 %10)
  store ptr %27, ptr %17, align 8
  call void @gradir.d.blas.gesvd(i8 83, i8 83, i64 %2, i64 %3, ptr %24, i64 %2, ptr %20, ptr %27, i64 %2, ptr %25, i64 %10, ptr %26, i64 %12, ptr %8)
  store ptr %25, ptr %9, align 8
  %28 = getelementptr inbounds i8, ptr %9, i64 8
  store i64 %10, ptr %28, align 8
  %29 = getelementptr inbounds i8, ptr %9, i64 16
  store i64 %10, ptr %29, align 8
  %30 = call ptr @gradir.d.columns(i64 %3, i64 %10, i32 1, ptr byval(%struct.d_vectors) %9)
  %31 = getelementptr inbounds i8, ptr %17, i64 16
  store ptr %30, ptr %31, align 8
  call void @free(ptr %24)
  call void @free(ptr %25)
  call void @free(ptr %26)
  br label %32

32:
  %33 = phi ptr [ null, %7 ], [ %17, %19 ], [ %17, %16 ], [ %17, %23 ]
  ret ptr %33
}
declare void @gradir.d.blas.gesvd(i8, i8, i64, i64, ptr, i64, ptr, ptr, i64, ptr, i64, ptr, i64, ptr)
define internal ptr @gradir.d.turn(i64 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5) {
6:
  %7 = call ptr @gradir.d.room(i64 %1, i64 %1)
  %8 = call ptr @gradir.d.room(i64 %4, i64 %1)
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %1, i64 %1, i64 %0, double 1.000000e+00, ptr %2, i64 %0, ptr %3, i64 %0, double 0.000000e+00, ptr %7, i64 %1)
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %4, i64 %1, i64 %1, double 1.000000e+00, ptr %5, i64 %4, ptr %7, i64 %1, double 0.000000e+00, ptr %8, i64 %4)
  call void @free(ptr %7)
  call void @free(ptr %2)
  call void @free(ptr %5)
  ret ptr %8
}
define internal void @gradir.d.told_svd(ptr %0, i64 %1, i64 %2, ptr %3, ptr byval(%struct.d_vectors) %4, ptr byval(%struct.d_vectors) %5) {
6:
  %7 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %8 = icmp eq ptr %0, null
  br i1 %8, label %60, label %9

9:
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %60, label %13

13:
  %14 = icmp sgt i64 %7, 0
  br i1 %14, label %18, label %15

15:
  %16 = load ptr, ptr %4, align 8
  %17 = icmp eq ptr %16, null
  br i1 %17, label %27, label %25

18:
  %19 = phi i64 [ %23, %18 ], [ 0, %13 ]
  %20 = getelementptr inbounds double, ptr %3, i64 %19
  %21 = load double, ptr %20, align 8
  %22 = getelementptr inbounds double, ptr %11, i64 %19
  store double %21, ptr %22, align 8
  %23 = add nsw i64 %19, 1
  %24 = icmp eq i64 %23, %7
  br i1 %24, label %15, label %18

25:
  %26 = call ptr @gradir.d.columns(i64 %1, i64 %7, i32 0, ptr byval(%struct.d_vectors) %4)
  br label %27

27:
  %28 = phi ptr [ %26, %25 ], [ null, %15 ]
  %29 = load ptr, ptr %5, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %33, label %31

31:
  %32 = call ptr @gradir.d.columns(i64 %2, i64 %7, i32 1, ptr byval(%struct.d_vectors) %5)
  br label %33

33:
  %34 = phi ptr [ %32, %31 ], [ null, %27 ]
  %35 = icmp eq ptr %28, null
  %36 = icmp ne ptr %34, null
  %37 = or i1 %35, %36
  br i1 %37, label %43, label %38

38:
  %39 = load ptr, ptr %0, align 8
  %40 = getelementptr inbounds i8, ptr %0, i64 16
  %41 = load ptr, ptr %40, align 8
  %42 = call ptr @gradir.d.turn(i64 %1, i64 %7, ptr %39, ptr %28, i64 %2, ptr %41)
  br label %52

43:
  %44 = icmp eq ptr %34, null
  %45 = icmp ne ptr %28, null
  %46 = or i1 %45, %44
  br i1 %46, label %52, label %47

47:
  %48 = getelementptr inbounds i8, ptr %0, i64 16
  %49 = load ptr, ptr %48, align 8
  %50 = load ptr, ptr %0, align 8
  %51 = call ptr @gradir.d.turn(i64 %2, i64 %7, ptr %49, ptr %34, i64 %1, ptr %50)
  br label %52

52:
  %53 = phi ptr [ %28, %43 ], [ %51, %47 ], [ %28, %38 ]
  %54 = phi ptr [ %34, %43 ], [ %34, %47 ], [ %42, %38 ]
  %55 = icmp ne ptr %53, null
  %56 = icmp ne ptr %54, null
  %57 = and i1 %55, %56
  br i1 %57, label %58, label %60

58:
  store ptr %53, ptr %0, align 8
  %59 = getelementptr inbounds i8, ptr %0, i64 16
  store ptr %54, ptr %59, align 8
  br label %60

60:
  ret void
}
define internal ptr @gradir.d.gathered(i64 %0, i64 %1, i32 %2, ptr byval(%struct.d_vectors) %3, ptr %4) {
5:
  %6 = load ptr, ptr %3, align 8
  %7 = icmp eq ptr %6, null
  %8 = getelementptr inbounds i8, ptr %3, i64 16
  %9 = load i64, ptr %8, align 8
  %10 = sub nsw i64 %9, %1
  %11 = select i1 %7, i64 0, i64 %10
  %12 = call ptr @gradir.d.columns(i64 %0, i64 %1, i32 %2, ptr byval(%struct.d_vectors) %3)
  call void @gradir.d.put_columns(i64 %0, i32 %2, ptr null, ptr byval(%struct.d_vectors) %3)
  %13 = icmp sgt i64 %11, 0
  %14 = icmp ne ptr %4, null
  %15 = and i1 %14, %13
  br i1 %15, label %16, label %21

16:
  %17 = call ptr @gradir.d.room(i64 %11, i64 %1)
  %18 = mul nsw i64 %1, %0
  %19 = getelementptr inbounds double, ptr %12, i64 %18
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %11, i64 %1, i64 %0, double 1.000000e+00, ptr %19, i64 %0, ptr %4, i64 %0, double 0.000000e+00, ptr %17, i64 %11)
  %20 = getelementptr inbounds double, ptr %4, i64 %18
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %0, i64 %1, i64 %11, double -1.000000e+00, ptr %20, i64 %0, ptr %17, i64 %11, double 1.000000e+00, ptr %12, i64 %0)
  call void @free(ptr %17)
  br label %21

21:
  ret ptr %12
}
define internal void @gradir.d.across(i64 %0, i64 %1, ptr %2, ptr %3, ptr %4, i8 %5, ptr %6, ptr %7) {
8:
  %9 = icmp sgt i64 %0, %1
  br i1 %9, label %10, label %11

10:
  call void @gradir.d.blas.gemm(i8 78, i8 %5, i64 %0, i64 %1, i64 %1, double -1.000000e+00, ptr %3, i64 %0, ptr %6, i64 %1, double 1.000000e+00, ptr %7, i64 %0)
  br label %11

11:
  %12 = icmp sgt i64 %1, 0
  br i1 %12, label %13, label %21

13:
  %14 = icmp sgt i64 %0, 0
  br label %15

15:
  %16 = phi i64 [ 0, %13 ], [ %24, %23 ]
  br i1 %14, label %17, label %23

17:
  %18 = mul nsw i64 %16, %0
  %19 = getelementptr double, ptr %7, i64 %18
  %20 = getelementptr inbounds double, ptr %2, i64 %16
  br label %26

21:
  %22 = icmp eq ptr %4, null
  br i1 %22, label %44, label %43

23:
  %24 = add nsw i64 %16, 1
  %25 = icmp eq i64 %24, %1
  br i1 %25, label %21, label %15

26:
  %27 = phi i64 [ 0, %17 ], [ %41, %38 ]
  br i1 %9, label %28, label %38

28:
  %29 = getelementptr double, ptr %19, i64 %27
  %30 = load double, ptr %29, align 8
  %31 = load double, ptr %20, align 8
  %32 = fcmp oeq double %30, 0.000000e+00
  %33 = fcmp oeq double %31, 0.000000e+00
  %34 = and i1 %32, %33
  %35 = fmul double %30, 0x7FB0000000000000
  %36 = fdiv double %30, %31
  %37 = select i1 %34, double %35, double %36
  br label %38

38:
  %39 = phi double [ %37, %28 ], [ 0.000000e+00, %26 ]
  %40 = getelementptr double, ptr %19, i64 %27
  store double %39, ptr %40, align 8
  %41 = add nsw i64 %27, 1
  %42 = icmp eq i64 %41, %0
  br i1 %42, label %23, label %26

43:
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %0, i64 %1, i64 %1, double 1.000000e+00, ptr %3, i64 %0, ptr %4, i64 %1, double 1.000000e+00, ptr %7, i64 %0)
  br label %44

44:
  ret void
}
define internal void @gradir.d.svd_reverse(i64 %0, i64 %1, ptr %2, i64 %3, ptr %4, ptr byval(%struct.d_vectors) %5, ptr byval(%struct.d_vectors) %6, ptr %7) {
8:
  %9 = icmp eq ptr %7, null
  br i1 %9, label %84, label %10

10:
  %11 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %12 = load ptr, ptr %7, align 8
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds i8, ptr %7, i64 16
  %16 = load ptr, ptr %15, align 8
  %17 = call ptr @gradir.d.gathered(i64 %0, i64 %11, i32 0, ptr byval(%struct.d_vectors) %5, ptr %12)
  %18 = call ptr @gradir.d.gathered(i64 %1, i64 %11, i32 1, ptr byval(%struct.d_vectors) %6, ptr %16)
  %19 = icmp eq ptr %2, null
  br i1 %19, label %83, label %20

20:
  %21 = call ptr @gradir.d.room(i64 %11, i64 %11)
  %22 = call ptr @gradir.d.room(i64 %11, i64 %11)
  %23 = call ptr @gradir.d.room(i64 %11, i64 %11)
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %11, i64 %11, i64 %0, double 1.000000e+00, ptr %12, i64 %0, ptr %17, i64 %0, double 0.000000e+00, ptr %21, i64 %11)
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %11, i64 %11, i64 %1, double 1.000000e+00, ptr %16, i64 %1, ptr %18, i64 %1, double 0.000000e+00, ptr %22, i64 %11)
  %24 = icmp sgt i64 %11, 0
  br i1 %24, label %25, label %32

25:
  %26 = icmp eq ptr %4, null
  br label %27

27:
  %28 = phi i64 [ 0, %25 ], [ %34, %33 ]
  %29 = mul nsw i64 %28, %11
  %30 = getelementptr inbounds double, ptr %14, i64 %28
  %31 = getelementptr inbounds double, ptr %4, i64 %28
  br label %36

32:
  call void @gradir.d.across(i64 %0, i64 %11, ptr %14, ptr %12, ptr %23, i8 78, ptr %21, ptr %17)
  call void @gradir.d.across(i64 %1, i64 %11, ptr %14, ptr %16, ptr null, i8 78, ptr %22, ptr %18)
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %0, i64 %1, i64 %11, double 1.000000e+00, ptr %17, i64 %0, ptr %16, i64 %1, double 0.000000e+00, ptr %2, i64 %3)
  call void @gradir.d.blas.gemm(i8 78, i8 84, i64 %0, i64 %1, i64 %11, double 1.000000e+00, ptr %12, i64 %0, ptr %18, i64 %1, double 1.000000e+00, ptr %2, i64 %3)
  call void @free(ptr %21)
  call void @free(ptr %22)
  call void @free(ptr %23)
  br label %83

33:
  %34 = add nsw i64 %28, 1
  %35 = icmp eq i64 %34, %11
  br i1 %35, label %32, label %27

36:
  %37 = phi i64 [ 0, %27 ], [ %81, %78 ]
  %38 = add nsw i64 %37, %29
  %39 = icmp eq i64 %37, %28
  br i1 %39, label %40, label %43

40:
  br i1 %26, label %78, label %41

41:
  %42 = load double, ptr %31, align 8
  br label %78

43:
  %44 = getelementptr inbounds double, ptr %22, i64 %38
  %45 = load double, ptr %44, align 8
  %46 = mul nsw i64 %37, %11
  %47 = add nsw i64 %46, %28
  %48 = getelementptr inbounds double, ptr %22, i64 %47
  %49 = load double, ptr %48, align 8
  %50 = fsub double %45, %49
  %51 = getelementptr inbounds double, ptr %21, i64 %38
  %52 = load double, ptr %51, align 8
  %53 = getelementptr inbounds double, ptr %21, i64 %47
  %54 = load double, ptr %53, align 8
  %55 = fsub double %52, %54
  %56 = fadd double %50, %55
  %57 = load double, ptr %30, align 8
  %58 = getelementptr inbounds double, ptr %14, i64 %37
  %59 = load double, ptr %58, align 8
  %60 = fsub double %57, %59
  %61 = fcmp oeq double %56, 0.000000e+00
  %62 = fcmp oeq double %60, 0.000000e+00
  %63 = and i1 %61, %62
  %64 = fmul double %56, 0x7FB0000000000000
  %65 = fdiv double %56, %60
  %66 = select i1 %63, double %64, double %65
  %67 = fmul double %66, 5.000000e-01
  %68 = fsub double %55, %50
  %69 = fadd double %57, %59
  %70 = fcmp oeq double %68, 0.000000e+00
  %71 = fcmp oeq double %69, 0.000000e+00
  %72 = and i1 %70, %71
  %73 = fmul double %68, 0x7FB0000000000000
  %74 = fdiv double %68, %69
  %75 = select i1 %72, double %73, double %74
  %76 = fmul double %75, 5.000000e-01
  %77 = fadd double %67, %76
  br label %78

78:
  %79 = phi double [ %77, %43 ], [ %42, %41 ], [ 0.000000e+00, %40 ]
  %80 = getelementptr inbounds double, ptr %23, i64 %38
  store double %79, ptr %80, align 8
  %81 = add nsw i64 %37, 1
  %82 = icmp eq i64 %81, %11
  br i1 %82, label %33, label %36

83:
  call void @gradir.d.clear_matrix(i64 %11, i64 1, ptr %4, i64 %11)
  call void @free(ptr %17)
  call void @free(ptr %18)
  call void @gradir.d.release(ptr %7)
  br label %84

84:
  ret void
}
define internal void @gradir.d.put_tangents(i64 %0, i64 %1, i32 %2, ptr %3, ptr %4, ptr byval(%struct.d_vectors) %5) {
6:
  %7 = alloca %struct.d_vectors, align 8
  %8 = load ptr, ptr %5, align 8
  %9 = icmp eq ptr %8, null
  %10 = getelementptr inbounds i8, ptr %5, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = sub nsw i64 %11, %1
  %13 = select i1 %9, i64 0, i64 %12
  store ptr %4, ptr %7, align 8
  %14 = getelementptr inbounds i8, ptr %7, i64 8
  store i64 %0, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %7, i64 16
  store i64 %1, ptr %15, align 8
  %16 = call ptr @gradir.d.columns(i64 %0, i64 %1, i32 0, ptr byval(%struct.d_vectors) %7)
  %17 = icmp sgt i64 %13, 0
  br i1 %17, label %18, label %24

18:
  %19 = call ptr @gradir.d.room(i64 %1, i64 %13)
  call void @free(ptr %16)
  %20 = call ptr @gradir.d.room(i64 %0, i64 %11)
  call void @gradir.d.add(i64 %0, i64 %1, double 1.000000e+00, ptr %4, i64 %0, ptr %20, i64 %0)
  %21 = mul nsw i64 %1, %0
  %22 = getelementptr inbounds double, ptr %3, i64 %21
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %1, i64 %13, i64 %0, double 1.000000e+00, ptr %4, i64 %0, ptr %22, i64 %0, double 0.000000e+00, ptr %19, i64 %1)
  %23 = getelementptr inbounds double, ptr %20, i64 %21
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %0, i64 %13, i64 %1, double -1.000000e+00, ptr %3, i64 %0, ptr %19, i64 %1, double 0.000000e+00, ptr %23, i64 %0)
  call void @free(ptr %19)
  br label %24

24:
  %25 = phi ptr [ %20, %18 ], [ %16, %6 ]
  call void @gradir.d.put_columns(i64 %0, i32 %2, ptr %25, ptr byval(%struct.d_vectors) %5)
  call void @free(ptr %25)
  ret void
}
define internal void @gradir.d.svd_forward(i64 %0, i64 %1, ptr %2, i64 %3, ptr %4, ptr byval(%struct.d_vectors) %5, ptr byval(%struct.d_vectors) %6, ptr %7) {
8:
  %9 = icmp eq ptr %7, null
  br i1 %9, label %94, label %10

10:
  %11 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %12 = load ptr, ptr %7, align 8
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds i8, ptr %7, i64 16
  %16 = load ptr, ptr %15, align 8
  %17 = icmp eq ptr %2, null
  br i1 %17, label %18, label %19

18:
  call void @gradir.d.clear_matrix(i64 %11, i64 1, ptr %4, i64 %11)
  call void @gradir.d.put_columns(i64 %0, i32 0, ptr null, ptr byval(%struct.d_vectors) %5)
  call void @gradir.d.put_columns(i64 %1, i32 1, ptr null, ptr byval(%struct.d_vectors) %6)
  br label %93

19:
  %20 = call ptr @gradir.d.room(i64 %11, i64 %11)
  %21 = call ptr @gradir.d.room(i64 %11, i64 %11)
  %22 = call ptr @gradir.d.room(i64 %11, i64 %11)
  %23 = call ptr @gradir.d.room(i64 %0, i64 %11)
  %24 = call ptr @gradir.d.room(i64 %1, i64 %11)
  call void @gradir.d.blas.gemm(i8 78, i8 78, i64 %0, i64 %11, i64 %1, double 1.000000e+00, ptr %2, i64 %3, ptr %16, i64 %1, double 0.000000e+00, ptr %23, i64 %0)
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %1, i64 %11, i64 %0, double 1.000000e+00, ptr %2, i64 %3, ptr %12, i64 %0, double 0.000000e+00, ptr %24, i64 %1)
  call void @gradir.d.blas.gemm(i8 84, i8 78, i64 %11, i64 %11, i64 %0, double 1.000000e+00, ptr %12, i64 %0, ptr %23, i64 %0, double 0.000000e+00, ptr %20, i64 %11)
  call void @gradir.d.clear_matrix(i64 %0, i64 %1, ptr %2, i64 %3)
  %25 = icmp ne ptr %4, null
  %26 = icmp sgt i64 %11, 0
  %27 = and i1 %25, %26
  br i1 %27, label %28, label %30

28:
  %29 = add i64 %11, 1
  br label %37

30:
  %31 = load ptr, ptr %5, align 8
  %32 = icmp ne ptr %31, null
  %33 = load ptr, ptr %6, align 8
  %34 = icmp ne ptr %33, null
  %35 = select i1 %32, i1 true, i1 %34
  br i1 %35, label %36, label %92

36:
  br i1 %26, label %45, label %50

37:
  %38 = phi i64 [ 0, %28 ], [ %43, %37 ]
  %39 = mul i64 %38, %29
  %40 = getelementptr inbounds double, ptr %20, i64 %39
  %41 = load double, ptr %40, align 8
  %42 = getelementptr inbounds double, ptr %4, i64 %38
  store double %41, ptr %42, align 8
  %43 = add nsw i64 %38, 1
  %44 = icmp slt i64 %43, %11
  br i1 %44, label %37, label %30

45:
  %46 = phi i64 [ %52, %51 ], [ 0, %36 ]
  %47 = mul nsw i64 %46, %11
  %48 = getelementptr double, ptr %20, i64 %46
  %49 = getelementptr inbounds double, ptr %14, i64 %46
  br label %54

50:
  call void @gradir.d.across(i64 %0, i64 %11, ptr %14, ptr %12, ptr %21, i8 78, ptr %20, ptr %23)
  call void @gradir.d.across(i64 %1, i64 %11, ptr %14, ptr %16, ptr %22, i8 84, ptr %20, ptr %24)
  call void @gradir.d.put_tangents(i64 %0, i64 %11, i32 0, ptr %12, ptr %23, ptr byval(%struct.d_vectors) %5)
  call void @gradir.d.put_tangents(i64 %1, i64 %11, i32 1, ptr %16, ptr %24, ptr byval(%struct.d_vectors) %6)
  br label %92

51:
  %52 = add nsw i64 %46, 1
  %53 = icmp eq i64 %52, %11
  br i1 %53, label %50, label %45

54:
  %55 = phi i64 [ 0, %45 ], [ %90, %89 ]
  %56 = icmp eq i64 %55, %46
  br i1 %56, label %89, label %57

57:
  %58 = add nsw i64 %55, %47
  %59 = getelementptr inbounds double, ptr %20, i64 %58
  %60 = load double, ptr %59, align 8
  %61 = mul nsw i64 %55, %11
  %62 = getelementptr double, ptr %48, i64 %61
  %63 = load double, ptr %62, align 8
  %64 = fadd double %60, %63
  %65 = load double, ptr %49, align 8
  %66 = getelementptr inbounds double, ptr %14, i64 %55
  %67 = load double, ptr %66, align 8
  %68 = fsub double %65, %67
  %69 = fcmp oeq double %64, 0.000000e+00
  %70 = fcmp oeq double %68, 0.000000e+00
  %71 = and i1 %69, %70
  %72 = fmul double %64, 0x7FB0000000000000
  %73 = fdiv double %64, %68
  %74 = select i1 %71, double %72, double %73
  %75 = fmul double %74, 5.000000e-01
  %76 = fsub double %60, %63
  %77 = fadd double %65, %67
  %78 = fcmp oeq double %76, 0.000000e+00
  %79 = fcmp oeq double %77, 0.000000e+00
  %80 = and i1 %78, %79
  %81 = fmul double %76, 0x7FB0000000000000
  %82 = fdiv double %76, %77
  %83 = select i1 %80, double %81, double %82
  %84 = fmul double %83, 5.000000e-01
  %85 = fadd double %75, %84
  %86 = getelementptr inbounds double, ptr %21, i64 %58
  store double %85, ptr %86, align 8
  %87 = fsub double %75, %84
  %88 = getelementptr inbounds double, ptr %22, i64 %58
  store double %87, ptr %88, align 8
  br label %89

89:
  %90 = add nsw i64 %55, 1
  %91 = icmp eq i64 %90, %11
  br i1 %91, label %51, label %54

92:
  call void @free(ptr %20)
  call void @free(ptr %21)
  call void @free(ptr %22)
  call void @free(ptr %23)
  call void @free(ptr %24)
  br label %93

93:
  call void @gradir.d.release(ptr %7)
  br label %94

94:
  ret void
}
define internal ptr @gradir.d.gesvd.augmented(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, i64 %11, ptr %12, ptr %13, i64 %14, ptr %15, ptr %16, i64 %17, ptr %18) {
19:
  %20 = alloca %struct.d_vectors, align 8
  %21 = alloca %struct.d_vectors, align 8
  %22 = and i8 %0, -33
  %23 = icmp ne i8 %22, 78
  %24 = and i8 %1, -33
  %25 = icmp ne i8 %24, 78
  %26 = and i1 %23, %25
  %27 = zext i1 %26 to i32
  %28 = icmp ne ptr %5, null
  %29 = zext i1 %28 to i32
  %30 = call ptr @gradir.d.svd(i32 %29, i32 %27, i64 %2, i64 %3, ptr %4, i64 %6, i64 %17)
  call void @gradir.d.blas.gesvd(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, i64 %6, ptr %7, ptr %9, i64 %11, ptr %12, i64 %14, ptr %15, i64 %17, ptr %18)
  %31 = call i64 @llvm.smin.i64(i64 %2, i64 %3)
  switch i8 %22, label %36 [    i8 78, label %32    i8 79, label %33  ]

32:
  call void @llvm.memset.p0.i64(ptr %20, i8 0, i64 24, i1 false)
  br label %41

33:
  store ptr %4, ptr %20, align 8
  %34 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %6, ptr %34, align 8
  %35 = getelementptr inbounds i8, ptr %20, i64 16
  store i64 %31, ptr %35, align 8
  br label %41

36:
  store ptr %9, ptr %20, align 8
  %37 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %11, ptr %37, align 8
  %38 = getelementptr inbounds i8, ptr %20, i64 16
  %39 = icmp eq i8 %22, 65
  %40 = select i1 %39, i64 %2, i64 %31
  store i64 %40, ptr %38, align 8
  br label %41

41:
  switch i8 %24, label %46 [    i8 78, label %42    i8 79, label %43  ]

42:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %51

43:
  store ptr %4, ptr %21, align 8
  %44 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %6, ptr %44, align 8
  %45 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %31, ptr %45, align 8
  br label %51

46:
  store ptr %12, ptr %21, align 8
  %47 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %14, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %21, i64 16
  %49 = icmp eq i8 %24, 65
  %50 = select i1 %49, i64 %3, i64 %31
  store i64 %50, ptr %48, align 8
  br label %51

51:
  call void @gradir.d.told_svd(ptr %30, i64 %2, i64 %3, ptr %7, ptr byval(%struct.d_vectors) %20, ptr byval(%struct.d_vectors) %21)
  ret ptr %30
}
define internal void @gradir.d.gesvd.reverse(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, i64 %11, ptr %12, ptr %13, i64 %14, ptr %15, ptr %16, i64 %17, ptr %18, ptr %19) {
20:
  %21 = alloca %struct.d_vectors, align 8
  %22 = alloca %struct.d_vectors, align 8
  call void @gradir.d.clear_work(i64 %17, i64 0, ptr %16)
  %23 = call i64 @llvm.smin.i64(i64 %2, i64 %3)
  %24 = and i8 %0, -33
  switch i8 %24, label %29 [    i8 78, label %25    i8 79, label %26  ]

25:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %34

26:
  store ptr %5, ptr %21, align 8
  %27 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %6, ptr %27, align 8
  %28 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %23, ptr %28, align 8
  br label %34

29:
  store ptr %10, ptr %21, align 8
  %30 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %11, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %21, i64 16
  %32 = icmp eq i8 %24, 65
  %33 = select i1 %32, i64 %2, i64 %23
  store i64 %33, ptr %31, align 8
  br label %34

34:
  %35 = and i8 %1, -33
  switch i8 %35, label %40 [    i8 78, label %36    i8 79, label %37  ]

36:
  call void @llvm.memset.p0.i64(ptr %22, i8 0, i64 24, i1 false)
  br label %45

37:
  store ptr %5, ptr %22, align 8
  %38 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %6, ptr %38, align 8
  %39 = getelementptr inbounds i8, ptr %22, i64 16
  store i64 %23, ptr %39, align 8
  br label %45

40:
  store ptr %13, ptr %22, align 8
  %41 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %14, ptr %41, align 8
  %42 = getelementptr inbounds i8, ptr %22, i64 16
  %43 = icmp eq i8 %35, 65
  %44 = select i1 %43, i64 %3, i64 %23
  store i64 %44, ptr %42, align 8
  br label %45

45:
  call void @gradir.d.svd_reverse(i64 %2, i64 %3, ptr %5, i64 %6, ptr %8, ptr byval(%struct.d_vectors) %21, ptr byval(%struct.d_vectors) %22, ptr %19)
  ret void
}
define internal void @gradir.d.gesvd.forward(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, i64 %11, ptr %12, ptr %13, i64 %14, ptr %15, ptr %16, i64 %17, ptr %18) {
19:
  %20 = alloca %struct.d_vectors, align 8
  %21 = alloca %struct.d_vectors, align 8
  %22 = call ptr @gradir.d.gesvd.augmented(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr poison, ptr %9, ptr poison, i64 %11, ptr %12, ptr poison, i64 %14, ptr %15, ptr poison, i64 %17, ptr %18)
  call void @gradir.d.clear_work(i64 %17, i64 0, ptr %16)
  %23 = call i64 @llvm.smin.i64(i64 %2, i64 %3)
  %24 = and i8 %0, -33
  switch i8 %24, label %29 [    i8 78, label %25    i8 79, label %26  ]

25:
  call void @llvm.memset.p0.i64(ptr %20, i8 0, i64 24, i1 false)
  br label %34

26:
  store ptr %5, ptr %20, align 8
  %27 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %6, ptr %27, align 8
  %28 = getelementptr inbounds i8, ptr %20, i64 16
  store i64 %23, ptr %28, align 8
  br label %34

29:
  store ptr %10, ptr %20, align 8
  %30 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %11, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %20, i64 16
  %32 = icmp eq i8 %24, 65
  %33 = select i1 %32, i64 %2, i64 %23
  store i64 %33, ptr %31, align 8
  br label %34

34:
  %35 = and i8 %1, -33
  switch i8 %35, label %40 [    i8 78, label %36    i8 79, label %37  ]

36:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %45

37:
  store ptr %5, ptr %21, align 8
  %38 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %6, ptr %38, align 8
  %39 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %23, ptr %39, align 8
  br label %45

40:
  store ptr %13, ptr %21, align 8
  %41 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %14, ptr %41, align 8
  %42 = getelementptr inbounds i8, ptr %21, i64 16
  %43 = icmp eq i8 %35, 65
  %44 = select i1 %43, i64 %3, i64 %23
  store i64 %44, ptr %42, align 8
  br label %45

45:
  call void @gradir.d.svd_forward(i64 %2, i64 %3, ptr %5, i64 %6, ptr %8, ptr byval(%struct.d_vectors) %20, ptr byval(%struct.d_vectors) %21, ptr %22)
  ret void
}
define internal ptr @gradir.d.gesdd.augmented(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14, ptr %15, i64 %16, ptr %17, ptr %18) {
19:
  %20 = alloca %struct.d_vectors, align 8
  %21 = alloca %struct.d_vectors, align 8
  %22 = icmp ne ptr %4, null
  %23 = zext i1 %22 to i32
  %24 = and i8 %0, -33
  %25 = icmp ne i8 %24, 78
  %26 = zext i1 %25 to i32
  %27 = call ptr @gradir.d.svd(i32 %23, i32 %26, i64 %1, i64 %2, ptr %3, i64 %5, i64 %16)
  call void @gradir.d.blas.gesdd(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %8, i64 %10, ptr %11, i64 %13, ptr %14, i64 %16, ptr %17, ptr %18)
  %28 = icmp eq i8 %24, 79
  %29 = icmp slt i64 %1, %2
  %30 = select i1 %29, i8 83, i8 79
  %31 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %32 = select i1 %28, i8 %30, i8 %24
  switch i8 %32, label %37 [    i8 78, label %33    i8 79, label %34  ]

33:
  call void @llvm.memset.p0.i64(ptr %20, i8 0, i64 24, i1 false)
  br label %42

34:
  store ptr %3, ptr %20, align 8
  %35 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %5, ptr %35, align 8
  %36 = getelementptr inbounds i8, ptr %20, i64 16
  store i64 %31, ptr %36, align 8
  br label %42

37:
  store ptr %8, ptr %20, align 8
  %38 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %10, ptr %38, align 8
  %39 = getelementptr inbounds i8, ptr %20, i64 16
  %40 = icmp eq i8 %32, 65
  %41 = select i1 %40, i64 %1, i64 %31
  store i64 %41, ptr %39, align 8
  br label %42

42:
  %43 = select i1 %29, i8 79, i8 83
  %44 = select i1 %28, i8 %43, i8 %24
  switch i8 %44, label %49 [    i8 78, label %45    i8 79, label %46  ]

45:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %54

46:
  store ptr %3, ptr %21, align 8
  %47 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %5, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %31, ptr %48, align 8
  br label %54

49:
  store ptr %11, ptr %21, align 8
  %50 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %13, ptr %50, align 8
  %51 = getelementptr inbounds i8, ptr %21, i64 16
  %52 = icmp eq i8 %44, 65
  %53 = select i1 %52, i64 %2, i64 %31
  store i64 %53, ptr %51, align 8
  br label %54

54:
  call void @gradir.d.told_svd(ptr %27, i64 %1, i64 %2, ptr %6, ptr byval(%struct.d_vectors) %20, ptr byval(%struct.d_vectors) %21)
  ret ptr %27
}
declare void @gradir.d.blas.gesdd(i8, i64, i64, ptr, i64, ptr, ptr, i64, ptr, i64, ptr, i64, ptr, ptr)
define internal void @gradir.d.gesdd.reverse(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14, ptr %15, i64 %16, ptr %17, ptr %18, ptr %19) {
20:
  %21 = alloca %struct.d_vectors, align 8
  %22 = alloca %struct.d_vectors, align 8
  call void @gradir.d.clear_work(i64 %16, i64 0, ptr %15)
  %23 = and i8 %0, -33
  %24 = icmp eq i8 %23, 79
  %25 = icmp slt i64 %1, %2
  %26 = select i1 %25, i8 83, i8 79
  %27 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %28 = select i1 %24, i8 %26, i8 %23
  switch i8 %28, label %33 [    i8 78, label %29    i8 79, label %30  ]

29:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %38

30:
  store ptr %4, ptr %21, align 8
  %31 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %5, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %27, ptr %32, align 8
  br label %38

33:
  store ptr %9, ptr %21, align 8
  %34 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %10, ptr %34, align 8
  %35 = getelementptr inbounds i8, ptr %21, i64 16
  %36 = icmp eq i8 %28, 65
  %37 = select i1 %36, i64 %1, i64 %27
  store i64 %37, ptr %35, align 8
  br label %38

38:
  %39 = select i1 %25, i8 79, i8 83
  %40 = select i1 %24, i8 %39, i8 %23
  switch i8 %40, label %45 [    i8 78, label %41    i8 79, label %42  ]

41:
  call void @llvm.memset.p0.i64(ptr %22, i8 0, i64 24, i1 false)
  br label %50

42:
  store ptr %4, ptr %22, align 8
  %43 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %5, ptr %43, align 8
  %44 = getelementptr inbounds i8, ptr %22, i64 16
  store i64 %27, ptr %44, align 8
  br label %50

45:
  store ptr %12, ptr %22, align 8
  %46 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %13, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %22, i64 16
  %48 = icmp eq i8 %40, 65
  %49 = select i1 %48, i64 %2, i64 %27
  store i64 %49, ptr %47, align 8
  br label %50

50:
  call void @gradir.d.svd_reverse(i64 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr byval(%struct.d_vectors) %21, ptr byval(%struct.d_vectors) %22, ptr %19)
  ret void
}
define internal void @gradir.d.gesdd.forward(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14, ptr %15, i64 %16, ptr %17, ptr %18) {
19:
  %20 = alloca %struct.d_vectors, align 8
  %21 = alloca %struct.d_vectors, align 8
  %22 = call ptr @gradir.d.gesdd.augmented(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr poison, ptr %8, ptr poison, i64 %10, ptr %11, ptr poison, i64 %13, ptr %14, ptr poison, i64 %16, ptr %17, ptr %18)
  call void @gradir.d.clear_work(i64 %16, i64 0, ptr %15)
  %23 = and i8 %0, -33
  %24 = icmp eq i8 %23, 79
  %25 = icmp slt i64 %1, %2
  %26 = select i1 %25, i8 83, i8 79
  %27 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %28 = select i1 %24, i8 %26, i8 %23
  switch i8 %28, label %33 [    i8 78, label %29    i8 79, label %30  ]

29:
  call void @llvm.memset.p0.i64(ptr %20, i8 0, i64 24, i1 false)
  br label %38

30:
  store ptr %4, ptr %20, align 8
  %31 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %5, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %20, i64 16
  store i64 %27, ptr %32, align 8
  br label %38

33:
  store ptr %9, ptr %20, align 8
  %34 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %10, ptr %34, align 8
  %35 = getelementptr inbounds i8, ptr %20, i64 16
  %36 = icmp eq i8 %28, 65
  %37 = select i1 %36, i64 %1, i64 %27
  store i64 %37, ptr %35, align 8
  br label %38

38:
  %39 = select i1 %25, i8 79, i8 83
  %40 = select i1 %24, i8 %39, i8 %23
  switch i8 %40, label %45 [    i8 78, label %41    i8 79, label %42  ]

41:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %50

42:
  store ptr %4, ptr %21, align 8
  %43 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %5, ptr %43, align 8
  %44 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %27, ptr %44, align 8
  br label %50

45:
  store ptr %12, ptr %21, align 8
  %46 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %13, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %21, i64 16
  %48 = icmp eq i8 %40, 65
  %49 = select i1 %48, i64 %2, i64 %27
  store i64 %49, ptr %47, align 8
  br label %50

50:
  call void @gradir.d.svd_forward(i64 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr byval(%struct.d_vectors) %20, ptr byval(%struct.d_vectors) %21, ptr %22)
  ret void
}
define internal i32 @gradir.body.LAPACKE_dpotrf(i32 %0, i8 %1, i32 %2, ptr %3, i32 %4) {
5:
  %6 = alloca i8, align 1
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca %struct.d_columns, align 8
  store i8 %1, ptr %6, align 1
  store i32 %2, ptr %7, align 4
  %10 = sext i32 %2 to i64
  %11 = icmp eq i32 %0, 101
  %12 = icmp ne ptr %3, null
  %13 = and i1 %11, %12
  br i1 %13, label %14, label %69

14:
  %15 = icmp sgt i32 %2, 0
  %16 = select i1 %15, i64 %10, i64 1
  %17 = call i64 @llvm.smax.i64(i64 %10, i64 1)
  %18 = shl nsw i64 %17, 3
  %19 = mul i64 %18, %16
  %20 = call ptr @malloc(i64 %19)
  %21 = select i1 %15, i32 %2, i32 1
  br i1 %15, label %22, label %41

22:
  %23 = sext i32 %4 to i64
  %24 = zext i32 %2 to i64
  br label %25

25:
  %26 = phi i64 [ 0, %22 ], [ %31, %30 ]
  %27 = getelementptr double, ptr %3, i64 %26
  %28 = mul nsw i64 %26, %24
  %29 = getelementptr double, ptr %20, i64 %28
  br label %33

30:
  %31 = add nsw i64 %26, 1
  %32 = icmp eq i64 %31, %10
  br i1 %32, label %41, label %25

33:
  %34 = phi i64 [ 0, %25 ], [ %39, %33 ]
  %35 = mul nsw i64 %34, %23
  %36 = getelementptr double, ptr %27, i64 %35
  %37 = load double, ptr %36, align 8
  %38 = getelementptr double, ptr %29, i64 %34
  store double %37, ptr %38, align 8
  %39 = add nsw i64 %34, 1
  %40 = icmp eq i64 %39, %10
  br i1 %40, label %30, label %33

41:
  %42 = phi i32 [ 1, %14 ], [ %21, %30 ]
  store ptr %20, ptr %9, align 8
  %43 = getelementptr inbounds i8, ptr %9, i64 8
  store i32 %42, ptr %43, align 8
  call void @dpotrf_(ptr %6, ptr %7, ptr %20, ptr %43, ptr %8)
  %44 = load i32, ptr %7, align 4
  %45 = sext i32 %44 to i64
  %46 = load ptr, ptr %9, align 8
  %47 = icmp sgt i32 %44, 0
  br i1 %47, label %48, label %57

48:
  %49 = load i32, ptr %43, align 8
  %50 = sext i32 %49 to i64
  %51 = sext i32 %4 to i64
  br label %52

52:
  %53 = phi i64 [ 0, %48 ], [ %59, %58 ]
  %54 = getelementptr double, ptr %3, i64 %53
  %55 = mul nsw i64 %53, %50
  %56 = getelementptr double, ptr %46, i64 %55
  br label %61

57:
  call void @free(ptr %46)
  br label %71

58:
  %59 = add nsw i64 %53, 1
  %60 = icmp eq i64 %59, %45
  br i1 %60, label %57, label %52

61:
  %62 = phi i64 [ 0, %52 ], [ %67, %61 ]
  %63 = getelementptr double, ptr %56, i64 %62
  %64 = load double, ptr %63, align 8
  %65 = mul nsw i64 %62, %51
  %66 = getelementptr double, ptr %54, i64 %65
  store double %64, ptr %66, align 8
  %67 = add nsw i64 %62, 1
  %68 = icmp eq i64 %67, %45
  br i1 %68, label %58, label %61

69:
  store ptr %3, ptr %9, align 8
  %70 = getelementptr inbounds i8, ptr %9, i64 8
  store i32 %4, ptr %70, align 8
  call void @dpotrf_(ptr %6, ptr %7, ptr %3, ptr %70, ptr %8)
  br label %71

71:
  %72 = load i32, ptr %8, align 4
  ret i32 %72
}
declare void @dpotrf_(ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_dpotrs(i32 %0, i8 %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, i32 %7) {
8:
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca %struct.d_columns, align 8
  %14 = alloca %struct.d_columns, align 8
  store i8 %1, ptr %9, align 1
  store i32 %2, ptr %10, align 4
  store i32 %3, ptr %11, align 4
  %15 = sext i32 %2 to i64
  %16 = icmp eq i32 %0, 101
  %17 = icmp ne ptr %4, null
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %46

19:
  %20 = icmp sgt i32 %2, 0
  %21 = select i1 %20, i64 %15, i64 1
  %22 = call i64 @llvm.smax.i64(i64 %15, i64 1)
  %23 = shl nsw i64 %22, 3
  %24 = mul i64 %23, %21
  %25 = call ptr @malloc(i64 %24)
  %26 = select i1 %20, i32 %2, i32 1
  br i1 %20, label %27, label %46

27:
  %28 = sext i32 %5 to i64
  %29 = zext i32 %2 to i64
  br label %30

30:
  %31 = phi i64 [ 0, %27 ], [ %36, %35 ]
  %32 = getelementptr double, ptr %4, i64 %31
  %33 = mul nsw i64 %31, %29
  %34 = getelementptr double, ptr %25, i64 %33
  br label %38

35:
  %36 = add nsw i64 %31, 1
  %37 = icmp eq i64 %36, %15
  br i1 %37, label %46, label %30

38:
  %39 = phi i64 [ 0, %30 ], [ %44, %38 ]
  %40 = mul nsw i64 %39, %28
  %41 = getelementptr double, ptr %32, i64 %40
  %42 = load double, ptr %41, align 8
  %43 = getelementptr double, ptr %34, i64 %39
  store double %42, ptr %43, align 8
  %44 = add nsw i64 %39, 1
  %45 = icmp eq i64 %44, %15
  br i1 %45, label %35, label %38

46:
  %47 = phi ptr [ %4, %8 ], [ %25, %19 ], [ %25, %35 ]
  %48 = phi i32 [ %5, %8 ], [ 1, %19 ], [ %26, %35 ]
  store ptr %47, ptr %13, align 8
  %49 = getelementptr inbounds i8, ptr %13, i64 8
  store i32 %48, ptr %49, align 8
  %50 = sext i32 %3 to i64
  %51 = icmp ne ptr %6, null
  %52 = and i1 %16, %51
  br i1 %52, label %53, label %82

53:
  %54 = icmp sgt i32 %2, 0
  %55 = call i64 @llvm.smax.i64(i64 %50, i64 1)
  %56 = shl nsw i64 %15, 3
  %57 = select i1 %54, i64 %56, i64 8
  %58 = mul i64 %57, %55
  %59 = call ptr @malloc(i64 %58)
  %60 = select i1 %54, i32 %2, i32 1
  %61 = icmp sgt i32 %3, 0
  br i1 %61, label %62, label %82

62:
  %63 = sext i32 %7 to i64
  %64 = zext i32 %60 to i64
  br label %65

65:
  %66 = phi i64 [ 0, %62 ], [ %72, %71 ]
  %67 = getelementptr double, ptr %6, i64 %66
  br i1 %54, label %68, label %71

68:
  %69 = mul nsw i64 %66, %64
  %70 = getelementptr double, ptr %59, i64 %69
  br label %74

71:
  %72 = add nsw i64 %66, 1
  %73 = icmp eq i64 %72, %50
  br i1 %73, label %82, label %65

74:
  %75 = phi i64 [ 0, %68 ], [ %80, %74 ]
  %76 = mul nsw i64 %75, %63
  %77 = getelementptr double, ptr %67, i64 %76
  %78 = load double, ptr %77, align 8
  %79 = getelementptr double, ptr %70, i64 %75
  store double %78, ptr %79, align 8
  %80 = add nsw i64 %75, 1
  %81 = icmp eq i64 %80, %15
  br i1 %81, label %71, label %74

82:
  %83 = phi ptr [ %6, %46 ], [ %59, %53 ], [ %59, %71 ]
  %84 = phi i32 [ %7, %46 ], [ %60, %53 ], [ %60, %71 ]
  store ptr %83, ptr %14, align 8
  %85 = getelementptr inbounds i8, ptr %14, i64 8
  store i32 %84, ptr %85, align 8
  call void @dpotrs_(ptr %9, ptr %10, ptr %11, ptr %47, ptr %49, ptr %83, ptr %85, ptr %12)
  br i1 %18, label %86, label %88

86:
  %87 = load ptr, ptr %13, align 8
  call void @free(ptr %87)
  br label %88

88:
  %89 = load i32, ptr %10, align 4
  %90 = sext i32 %89 to i64
  %91 = load i32, ptr %11, align 4
  %92 = sext i32 %91 to i64
  %93 = load ptr, ptr %14, align 8
  %94 = load i32, ptr %85, align 8
  br i1 %52, label %95, label %119

95:
  %96 = icmp sgt i32 %91, 0
  br i1 %96, label %97, label %107

97:
  %98 = icmp sgt i32 %89, 0
  %99 = sext i32 %94 to i64
  %100 = sext i32 %7 to i64
  br label %101

101:
  %102 = phi i64 [ 0, %97 ], [ %109, %108 ]
  %103 = getelementptr double, ptr %6, i64 %102
  br i1 %98, label %104, label %108

104:
  %105 = mul nsw i64 %102, %99
  %106 = getelementptr double, ptr %93, i64 %105
  br label %111

107:
  call void @free(ptr %93)
  br label %119

108:
  %109 = add nsw i64 %102, 1
  %110 = icmp eq i64 %109, %92
  br i1 %110, label %107, label %101

111:
  %112 = phi i64 [ 0, %104 ], [ %117, %111 ]
  %113 = getelementptr double, ptr %106, i64 %112
  %114 = load double, ptr %113, align 8
  %115 = mul nsw i64 %112, %100
  %116 = getelementptr double, ptr %103, i64 %115
  store double %114, ptr %116, align 8
  %117 = add nsw i64 %112, 1
  %118 = icmp eq i64 %117, %90
  br i1 %118, label %108, label %111

119:
  %120 = load i32, ptr %12, align 4
  ret i32 %120
}
declare void @dpotrs_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_dposv(i32 %0, i8 %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, i32 %7) {
8:
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca %struct.d_columns, align 8
  %14 = alloca %struct.d_columns, align 8
  store i8 %1, ptr %9, align 1
  store i32 %2, ptr %10, align 4
  store i32 %3, ptr %11, align 4
  %15 = sext i32 %2 to i64
  %16 = icmp eq i32 %0, 101
  %17 = icmp ne ptr %4, null
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %46

19:
  %20 = icmp sgt i32 %2, 0
  %21 = select i1 %20, i64 %15, i64 1
  %22 = call i64 @llvm.smax.i64(i64 %15, i64 1)
  %23 = shl nsw i64 %22, 3
  %24 = mul i64 %23, %21
  %25 = call ptr @malloc(i64 %24)
  %26 = select i1 %20, i32 %2, i32 1
  br i1 %20, label %27, label %46

27:
  %28 = sext i32 %5 to i64
  %29 = zext i32 %2 to i64
  br label %30

30:
  %31 = phi i64 [ 0, %27 ], [ %36, %35 ]
  %32 = getelementptr double, ptr %4, i64 %31
  %33 = mul nsw i64 %31, %29
  %34 = getelementptr double, ptr %25, i64 %33
  br label %38

35:
  %36 = add nsw i64 %31, 1
  %37 = icmp eq i64 %36, %15
  br i1 %37, label %46, label %30

38:
  %39 = phi i64 [ 0, %30 ], [ %44, %38 ]
  %40 = mul nsw i64 %39, %28
  %41 = getelementptr double, ptr %32, i64 %40
  %42 = load double, ptr %41, align 8
  %43 = getelementptr double, ptr %34, i64 %39
  store double %42, ptr %43, align 8
  %44 = add nsw i64 %39, 1
  %45 = icmp eq i64 %44, %15
  br i1 %45, label %35, label %38

46:
  %47 = phi ptr [ %4, %8 ], [ %25, %19 ], [ %25, %35 ]
  %48 = phi i32 [ %5, %8 ], [ 1, %19 ], [ %26, %35 ]
  store ptr %47, ptr %13, align 8
  %49 = getelementptr inbounds i8, ptr %13, i64 8
  store i32 %48, ptr %49, align 8
  %50 = sext i32 %3 to i64
  %51 = icmp ne ptr %6, null
  %52 = and i1 %16, %51
  br i1 %52, label %53, label %82

53:
  %54 = icmp sgt i32 %2, 0
  %55 = call i64 @llvm.smax.i64(i64 %50, i64 1)
  %56 = shl nsw i64 %15, 3
  %57 = select i1 %54, i64 %56, i64 8
  %58 = mul i64 %57, %55
  %59 = call ptr @malloc(i64 %58)
  %60 = select i1 %54, i32 %2, i32 1
  %61 = icmp sgt i32 %3, 0
  br i1 %61, label %62, label %82

62:
  %63 = sext i32 %7 to i64
  %64 = zext i32 %60 to i64
  br label %65

65:
  %66 = phi i64 [ 0, %62 ], [ %72, %71 ]
  %67 = getelementptr double, ptr %6, i64 %66
  br i1 %54, label %68, label %71

68:
  %69 = mul nsw i64 %66, %64
  %70 = getelementptr double, ptr %59, i64 %69
  br label %74

71:
  %72 = add nsw i64 %66, 1
  %73 = icmp eq i64 %72, %50
  br i1 %73, label %82, label %65

74:
  %75 = phi i64 [ 0, %68 ], [ %80, %74 ]
  %76 = mul nsw i64 %75, %63
  %77 = getelementptr double, ptr %67, i64 %76
  %78 = load double, ptr %77, align 8
  %79 = getelementptr double, ptr %70, i64 %75
  store double %78, ptr %79, align 8
  %80 = add nsw i64 %75, 1
  %81 = icmp eq i64 %80, %15
  br i1 %81, label %71, label %74

82:
  %83 = phi ptr [ %6, %46 ], [ %59, %53 ], [ %59, %71 ]
  %84 = phi i32 [ %7, %46 ], [ %60, %53 ], [ %60, %71 ]
  store ptr %83, ptr %14, align 8
  %85 = getelementptr inbounds i8, ptr %14, i64 8
  store i32 %84, ptr %85, align 8
  call void @dpotrf_(ptr %9, ptr %10, ptr %47, ptr %49, ptr %12)
  %86 = load i32, ptr %12, align 4
  %87 = icmp eq i32 %86, 0
  br i1 %87, label %88, label %90

88:
  %89 = load ptr, ptr %13, align 8
  call void @dpotrs_(ptr %9, ptr %10, ptr %11, ptr %89, ptr %49, ptr %83, ptr %85, ptr %12)
  br label %90

90:
  %91 = load i32, ptr %10, align 4
  %92 = sext i32 %91 to i64
  %93 = load ptr, ptr %13, align 8
  %94 = load i32, ptr %49, align 8
  br i1 %18, label %95, label %119

95:
  %96 = icmp sgt i32 %91, 0
  br i1 %96, label %97, label %105

97:
  %98 = sext i32 %94 to i64
  %99 = sext i32 %5 to i64
  br label %100

100:
  %101 = phi i64 [ 0, %97 ], [ %109, %108 ]
  %102 = getelementptr double, ptr %4, i64 %101
  %103 = mul nsw i64 %101, %98
  %104 = getelementptr double, ptr %93, i64 %103
  br label %111

105:
  call void @free(ptr %93)
  %106 = load i32, ptr %10, align 4
  %107 = sext i32 %106 to i64
  br label %119

108:
  %109 = add nsw i64 %101, 1
  %110 = icmp eq i64 %109, %92
  br i1 %110, label %105, label %100

111:
  %112 = phi i64 [ 0, %100 ], [ %117, %111 ]
  %113 = getelementptr double, ptr %104, i64 %112
  %114 = load double, ptr %113, align 8
  %115 = mul nsw i64 %112, %99
  %116 = getelementptr double, ptr %102, i64 %115
  store double %114, ptr %116, align 8
  %117 = add nsw i64 %112, 1
  %118 = icmp eq i64 %117, %92
  br i1 %118, label %108, label %111

119:
  %120 = phi i64 [ %92, %90 ], [ %107, %105 ]
  %121 = phi i32 [ %91, %90 ], [ %106, %105 ]
  %122 = load i32, ptr %11, align 4
  %123 = sext i32 %122 to i64
  %124 = load ptr, ptr %14, align 8
  %125 = load i32, ptr %85, align 8
  br i1 %52, label %126, label %150

126:
  %127 = icmp sgt i32 %122, 0
  br i1 %127, label %128, label %138

128:
  %129 = icmp sgt i32 %121, 0
  %130 = sext i32 %125 to i64
  %131 = sext i32 %7 to i64
  br label %132

132:
  %133 = phi i64 [ 0, %128 ], [ %140, %139 ]
  %134 = getelementptr double, ptr %6, i64 %133
  br i1 %129, label %135, label %139

135:
  %136 = mul nsw i64 %133, %130
  %137 = getelementptr double, ptr %124, i64 %136
  br label %142

138:
  call void @free(ptr %124)
  br label %150

139:
  %140 = add nsw i64 %133, 1
  %141 = icmp eq i64 %140, %123
  br i1 %141, label %138, label %132

142:
  %143 = phi i64 [ 0, %135 ], [ %148, %142 ]
  %144 = getelementptr double, ptr %137, i64 %143
  %145 = load double, ptr %144, align 8
  %146 = mul nsw i64 %143, %131
  %147 = getelementptr double, ptr %134, i64 %146
  store double %145, ptr %147, align 8
  %148 = add nsw i64 %143, 1
  %149 = icmp eq i64 %148, %120
  br i1 %149, label %139, label %142

150:
  %151 = load i32, ptr %12, align 4
  ret i32 %151
}
define internal i32 @gradir.body.LAPACKE_dgetrf(i32 %0, i32 %1, i32 %2, ptr %3, i32 %4, ptr %5) {
6:
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.d_columns, align 8
  store i32 %1, ptr %7, align 4
  store i32 %2, ptr %8, align 4
  %11 = sext i32 %1 to i64
  %12 = sext i32 %2 to i64
  %13 = icmp eq i32 %0, 101
  %14 = icmp ne ptr %3, null
  %15 = and i1 %13, %14
  br i1 %15, label %16, label %76

16:
  %17 = icmp sgt i32 %1, 0
  %18 = call i64 @llvm.smax.i64(i64 %12, i64 1)
  %19 = shl nsw i64 %11, 3
  %20 = select i1 %17, i64 %19, i64 8
  %21 = mul i64 %20, %18
  %22 = call ptr @malloc(i64 %21)
  %23 = select i1 %17, i32 %1, i32 1
  %24 = icmp sgt i32 %2, 0
  br i1 %24, label %25, label %45

25:
  %26 = sext i32 %4 to i64
  %27 = zext i32 %23 to i64
  br label %28

28:
  %29 = phi i64 [ 0, %25 ], [ %35, %34 ]
  %30 = getelementptr double, ptr %3, i64 %29
  br i1 %17, label %31, label %34

31:
  %32 = mul nsw i64 %29, %27
  %33 = getelementptr double, ptr %22, i64 %32
  br label %37

34:
  %35 = add nsw i64 %29, 1
  %36 = icmp eq i64 %35, %12
  br i1 %36, label %45, label %28

37:
  %38 = phi i64 [ 0, %31 ], [ %43, %37 ]
  %39 = mul nsw i64 %38, %26
  %40 = getelementptr double, ptr %30, i64 %39
  %41 = load double, ptr %40, align 8
  %42 = getelementptr double, ptr %33, i64 %38
  store double %41, ptr %42, align 8
  %43 = add nsw i64 %38, 1
  %44 = icmp eq i64 %43, %11
  br i1 %44, label %34, label %37

45:
  store ptr %22, ptr %10, align 8
  %46 = getelementptr inbounds i8, ptr %10, i64 8
  store i32 %23, ptr %46, align 8
  call void @dgetrf_(ptr %7, ptr %8, ptr %22, ptr %46, ptr %5, ptr %9)
  %47 = load i32, ptr %7, align 4
  %48 = sext i32 %47 to i64
  %49 = load i32, ptr %8, align 4
  %50 = sext i32 %49 to i64
  %51 = load ptr, ptr %10, align 8
  %52 = icmp sgt i32 %49, 0
  br i1 %52, label %53, label %64

53:
  %54 = load i32, ptr %46, align 8
  %55 = icmp sgt i32 %47, 0
  %56 = sext i32 %54 to i64
  %57 = sext i32 %4 to i64
  br label %58

58:
  %59 = phi i64 [ 0, %53 ], [ %66, %65 ]
  %60 = getelementptr double, ptr %3, i64 %59
  br i1 %55, label %61, label %65

61:
  %62 = mul nsw i64 %59, %56
  %63 = getelementptr double, ptr %51, i64 %62
  br label %68

64:
  call void @free(ptr %51)
  br label %78

65:
  %66 = add nsw i64 %59, 1
  %67 = icmp eq i64 %66, %50
  br i1 %67, label %64, label %58

68:
  %69 = phi i64 [ 0, %61 ], [ %74, %68 ]
  %70 = getelementptr double, ptr %63, i64 %69
  %71 = load double, ptr %70, align 8
  %72 = mul nsw i64 %69, %57
  %73 = getelementptr double, ptr %60, i64 %72
  store double %71, ptr %73, align 8
  %74 = add nsw i64 %69, 1
  %75 = icmp eq i64 %74, %48
  br i1 %75, label %65, label %68

76:
  store ptr %3, ptr %10, align 8
  %77 = getelementptr inbounds i8, ptr %10, i64 8
  store i32 %4, ptr %77, align 8
  call void @dgetrf_(ptr %7, ptr %8, ptr %3, ptr %77, ptr %5, ptr %9)
  br label %78

78:
  %79 = load i32, ptr %9, align 4
  ret i32 %79
}
declare void @dgetrf_(ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_dgetrs(i32 %0, i8 %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, ptr %7, i32 %8) {
9:
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca %struct.d_columns, align 8
  %15 = alloca %struct.d_columns, align 8
  store i8 %1, ptr %10, align 1
  store i32 %2, ptr %11, align 4
  store i32 %3, ptr %12, align 4
  %16 = sext i32 %2 to i64
  %17 = icmp eq i32 %0, 101
  %18 = icmp ne ptr %4, null
  %19 = and i1 %17, %18
  br i1 %19, label %20, label %47

20:
  %21 = icmp sgt i32 %2, 0
  %22 = select i1 %21, i64 %16, i64 1
  %23 = call i64 @llvm.smax.i64(i64 %16, i64 1)
  %24 = shl nsw i64 %23, 3
  %25 = mul i64 %24, %22
  %26 = call ptr @malloc(i64 %25)
  %27 = select i1 %21, i32 %2, i32 1
  br i1 %21, label %28, label %47

28:
  %29 = sext i32 %5 to i64
  %30 = zext i32 %2 to i64
  br label %31

31:
  %32 = phi i64 [ 0, %28 ], [ %37, %36 ]
  %33 = getelementptr double, ptr %4, i64 %32
  %34 = mul nsw i64 %32, %30
  %35 = getelementptr double, ptr %26, i64 %34
  br label %39

36:
  %37 = add nsw i64 %32, 1
  %38 = icmp eq i64 %37, %16
  br i1 %38, label %47, label %31

39:
  %40 = phi i64 [ 0, %31 ], [ %45, %39 ]
  %41 = mul nsw i64 %40, %29
  %42 = getelementptr double, ptr %33, i64 %41
  %43 = load double, ptr %42, align 8
  %44 = getelementptr double, ptr %35, i64 %40
  store double %43, ptr %44, align 8
  %45 = add nsw i64 %40, 1
  %46 = icmp eq i64 %45, %16
  br i1 %46, label %36, label %39

47:
  %48 = phi ptr [ %4, %9 ], [ %26, %20 ], [ %26, %36 ]
  %49 = phi i32 [ %5, %9 ], [ 1, %20 ], [ %27, %36 ]
  store ptr %48, ptr %14, align 8
  %50 = getelementptr inbounds i8, ptr %14, i64 8
  store i32 %49, ptr %50, align 8
  %51 = sext i32 %3 to i64
  %52 = icmp ne ptr %7, null
  %53 = and i1 %17, %52
  br i1 %53, label %54, label %83

54:
  %55 = icmp sgt i32 %2, 0
  %56 = call i64 @llvm.smax.i64(i64 %51, i64 1)
  %57 = shl nsw i64 %16, 3
  %58 = select i1 %55, i64 %57, i64 8
  %59 = mul i64 %58, %56
  %60 = call ptr @malloc(i64 %59)
  %61 = select i1 %55, i32 %2, i32 1
  %62 = icmp sgt i32 %3, 0
  br i1 %62, label %63, label %83

63:
  %64 = sext i32 %8 to i64
  %65 = zext i32 %61 to i64
  br label %66

66:
  %67 = phi i64 [ 0, %63 ], [ %73, %72 ]
  %68 = getelementptr double, ptr %7, i64 %67
  br i1 %55, label %69, label %72

69:
  %70 = mul nsw i64 %67, %65
  %71 = getelementptr double, ptr %60, i64 %70
  br label %75

72:
  %73 = add nsw i64 %67, 1
  %74 = icmp eq i64 %73, %51
  br i1 %74, label %83, label %66

75:
  %76 = phi i64 [ 0, %69 ], [ %81, %75 ]
  %77 = mul nsw i64 %76, %64
  %78 = getelementptr double, ptr %68, i64 %77
  %79 = load double, ptr %78, align 8
  %80 = getelementptr double, ptr %71, i64 %76
  store double %79, ptr %80, align 8
  %81 = add nsw i64 %76, 1
  %82 = icmp eq i64 %81, %16
  br i1 %82, label %72, label %75

83:
  %84 = phi ptr [ %7, %47 ], [ %60, %54 ], [ %60, %72 ]
  %85 = phi i32 [ %8, %47 ], [ %61, %54 ], [ %61, %72 ]
  store ptr %84, ptr %15, align 8
  %86 = getelementptr inbounds i8, ptr %15, i64 8
  store i32 %85, ptr %86, align 8
  call void @dgetrs_(ptr %10, ptr %11, ptr %12, ptr %48, ptr %50, ptr %6, ptr %84, ptr %86, ptr %13)
  br i1 %19, label %87, label %89

87:
  %88 = load ptr, ptr %14, align 8
  call void @free(ptr %88)
  br label %89

89:
  %90 = load i32, ptr %11, align 4
  %91 = sext i32 %90 to i64
  %92 = load i32, ptr %12, align 4
  %93 = sext i32 %92 to i64
  %94 = load ptr, ptr %15, align 8
  %95 = load i32, ptr %86, align 8
  br i1 %53, label %96, label %120

96:
  %97 = icmp sgt i32 %92, 0
  br i1 %97, label %98, label %108

98:
  %99 = icmp sgt i32 %90, 0
  %100 = sext i32 %95 to i64
  %101 = sext i32 %8 to i64
  br label %102

102:
  %103 = phi i64 [ 0, %98 ], [ %110, %109 ]
  %104 = getelementptr double, ptr %7, i64 %103
  br i1 %99, label %105, label %109

105:
  %106 = mul nsw i64 %103, %100
  %107 = getelementptr double, ptr %94, i64 %106
  br label %112

108:
  call void @free(ptr %94)
  br label %120

109:
  %110 = add nsw i64 %103, 1
  %111 = icmp eq i64 %110, %93
  br i1 %111, label %108, label %102

112:
  %113 = phi i64 [ 0, %105 ], [ %118, %112 ]
  %114 = getelementptr double, ptr %107, i64 %113
  %115 = load double, ptr %114, align 8
  %116 = mul nsw i64 %113, %101
  %117 = getelementptr double, ptr %104, i64 %116
  store double %115, ptr %117, align 8
  %118 = add nsw i64 %113, 1
  %119 = icmp eq i64 %118, %91
  br i1 %119, label %109, label %112

120:
  %121 = load i32, ptr %13, align 4
  ret i32 %121
}
declare void @dgetrs_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_dgesv(i32 %0, i32 %1, i32 %2, ptr %3, i32 %4, ptr %5, ptr %6, i32 %7) {
8:
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca %struct.d_columns, align 8
  %13 = alloca %struct.d_columns, align 8
  store i32 %1, ptr %9, align 4
  store i32 %2, ptr %10, align 4
  %14 = sext i32 %1 to i64
  %15 = icmp eq i32 %0, 101
  %16 = icmp ne ptr %3, null
  %17 = and i1 %15, %16
  br i1 %17, label %18, label %45

18:
  %19 = icmp sgt i32 %1, 0
  %20 = select i1 %19, i64 %14, i64 1
  %21 = call i64 @llvm.smax.i64(i64 %14, i64 1)
  %22 = shl nsw i64 %21, 3
  %23 = mul i64 %22, %20
  %24 = call ptr @malloc(i64 %23)
  %25 = select i1 %19, i32 %1, i32 1
  br i1 %19, label %26, label %45

26:
  %27 = sext i32 %4 to i64
  %28 = zext i32 %1 to i64
  br label %29

29:
  %30 = phi i64 [ 0, %26 ], [ %35, %34 ]
  %31 = getelementptr double, ptr %3, i64 %30
  %32 = mul nsw i64 %30, %28
  %33 = getelementptr double, ptr %24, i64 %32
  br label %37

34:
  %35 = add nsw i64 %30, 1
  %36 = icmp eq i64 %35, %14
  br i1 %36, label %45, label %29

37:
  %38 = phi i64 [ 0, %29 ], [ %43, %37 ]
  %39 = mul nsw i64 %38, %27
  %40 = getelementptr double, ptr %31, i64 %39
  %41 = load double, ptr %40, align 8
  %42 = getelementptr double, ptr %33, i64 %38
  store double %41, ptr %42, align 8
  %43 = add nsw i64 %38, 1
  %44 = icmp eq i64 %43, %14
  br i1 %44, label %34, label %37

45:
  %46 = phi ptr [ %3, %8 ], [ %24, %18 ], [ %24, %34 ]
  %47 = phi i32 [ %4, %8 ], [ 1, %18 ], [ %25, %34 ]
  store ptr %46, ptr %12, align 8
  %48 = getelementptr inbounds i8, ptr %12, i64 8
  store i32 %47, ptr %48, align 8
  %49 = sext i32 %2 to i64
  %50 = icmp ne ptr %6, null
  %51 = and i1 %15, %50
  br i1 %51, label %52, label %81

52:
  %53 = icmp sgt i32 %1, 0
  %54 = call i64 @llvm.smax.i64(i64 %49, i64 1)
  %55 = shl nsw i64 %14, 3
  %56 = select i1 %53, i64 %55, i64 8
  %57 = mul i64 %56, %54
  %58 = call ptr @malloc(i64 %57)
  %59 = select i1 %53, i32 %1, i32 1
  %60 = icmp sgt i32 %2, 0
  br i1 %60, label %61, label %81

61:
  %62 = sext i32 %7 to i64
  %63 = zext i32 %59 to i64
  br label %64

64:
  %65 = phi i64 [ 0, %61 ], [ %71, %70 ]
  %66 = getelementptr double, ptr %6, i64 %65
  br i1 %53, label %67, label %70

67:
  %68 = mul nsw i64 %65, %63
  %69 = getelementptr double, ptr %58, i64 %68
  br label %73

70:
  %71 = add nsw i64 %65, 1
  %72 = icmp eq i64 %71, %49
  br i1 %72, label %81, label %64

73:
  %74 = phi i64 [ 0, %67 ], [ %79, %73 ]
  %75 = mul nsw i64 %74, %62
  %76 = getelementptr double, ptr %66, i64 %75
  %77 = load double, ptr %76, align 8
  %78 = getelementptr double, ptr %69, i64 %74
  store double %77, ptr %78, align 8
  %79 = add nsw i64 %74, 1
  %80 = icmp eq i64 %79, %14
  br i1 %80, label %70, label %73

81:
  %82 = phi ptr [ %6, %45 ], [ %58, %52 ], [ %58, %70 ]
  %83 = phi i32 [ %7, %45 ], [ %59, %52 ], [ %59, %70 ]
  store ptr %82, ptr %13, align 8
  %84 = getelementptr inbounds i8, ptr %13, i64 8
  store i32 %83, ptr %84, align 8
  call void @dgetrf_(ptr %9, ptr %9, ptr %46, ptr %48, ptr %5, ptr %11)
  %85 = load i32, ptr %11, align 4
  %86 = icmp eq i32 %85, 0
  br i1 %86, label %87, label %89

87:
  %88 = load ptr, ptr %12, align 8
  call void @dgetrs_(ptr @gradir.library.str, ptr %9, ptr %10, ptr %88, ptr %48, ptr %5, ptr %82, ptr %84, ptr %11)
  br label %89

89:
  %90 = load i32, ptr %9, align 4
  %91 = sext i32 %90 to i64
  %92 = load ptr, ptr %12, align 8
  %93 = load i32, ptr %48, align 8
  br i1 %17, label %94, label %118

94:
  %95 = icmp sgt i32 %90, 0
  br i1 %95, label %96, label %104

96:
  %97 = sext i32 %93 to i64
  %98 = sext i32 %4 to i64
  br label %99

99:
  %100 = phi i64 [ 0, %96 ], [ %108, %107 ]
  %101 = getelementptr double, ptr %3, i64 %100
  %102 = mul nsw i64 %100, %97
  %103 = getelementptr double, ptr %92, i64 %102
  br label %110

104:
  call void @free(ptr %92)
  %105 = load i32, ptr %9, align 4
  %106 = sext i32 %105 to i64
  br label %118

107:
  %108 = add nsw i64 %100, 1
  %109 = icmp eq i64 %108, %91
  br i1 %109, label %104, label %99

110:
  %111 = phi i64 [ 0, %99 ], [ %116, %110 ]
  %112 = getelementptr double, ptr %103, i64 %111
  %113 = load double, ptr %112, align 8
  %114 = mul nsw i64 %111, %98
  %115 = getelementptr double, ptr %101, i64 %114
  store double %113, ptr %115, align 8
  %116 = add nsw i64 %111, 1
  %117 = icmp eq i64 %116, %91
  br i1 %117, label %107, label %110

118:
  %119 = phi i64 [ %91, %89 ], [ %106, %104 ]
  %120 = phi i32 [ %90, %89 ], [ %105, %104 ]
  %121 = load i32, ptr %10, align 4
  %122 = sext i32 %121 to i64
  %123 = load ptr, ptr %13, align 8
  %124 = load i32, ptr %84, align 8
  br i1 %51, label %125, label %149

125:
  %126 = icmp sgt i32 %121, 0
  br i1 %126, label %127, label %137

127:
  %128 = icmp sgt i32 %120, 0
  %129 = sext i32 %124 to i64
  %130 = sext i32 %7 to i64
  br label %131

131:
  %132 = phi i64 [ 0, %127 ], [ %139, %138 ]
  %133 = getelementptr double, ptr %6, i64 %132
  br i1 %128, label %134, label %138

134:
  %135 = mul nsw i64 %132, %129
  %136 = getelementptr double, ptr %123, i64 %135
  br label %141

137:
  call void @free(ptr %123)
  br label %149

138:
  %139 = add nsw i64 %132, 1
  %140 = icmp eq i64 %139, %122
  br i1 %140, label %137, label %131

141:
  %142 = phi i64 [ 0, %134 ], [ %147, %141 ]
  %143 = getelementptr double, ptr %136, i64 %142
  %144 = load double, ptr %143, align 8
  %145 = mul nsw i64 %142, %130
  %146 = getelementptr double, ptr %133, i64 %145
  store double %144, ptr %146, align 8
  %147 = add nsw i64 %142, 1
  %148 = icmp eq i64 %147, %119
  br i1 %148, label %138, label %141

149:
  %150 = load i32, ptr %11, align 4
  ret i32 %150
}
define internal i32 @gradir.body.LAPACKE_dsyev(i32 %0, i8 %1, i8 %2, i32 %3, ptr %4, i32 %5, ptr %6) {
7:
  %8 = alloca i8, align 1
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca double, align 8
  %14 = alloca %struct.d_columns, align 8
  store i8 %1, ptr %8, align 1
  store i8 %2, ptr %9, align 1
  store i32 %3, ptr %10, align 4
  store i32 -1, ptr %12, align 4
  %15 = sext i32 %3 to i64
  %16 = icmp eq i32 %0, 101
  %17 = icmp ne ptr %4, null
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %46

19:
  %20 = icmp sgt i32 %3, 0
  %21 = select i1 %20, i64 %15, i64 1
  %22 = call i64 @llvm.smax.i64(i64 %15, i64 1)
  %23 = shl nsw i64 %22, 3
  %24 = mul i64 %23, %21
  %25 = call ptr @malloc(i64 %24)
  %26 = select i1 %20, i32 %3, i32 1
  br i1 %20, label %27, label %46

27:
  %28 = sext i32 %5 to i64
  %29 = zext i32 %3 to i64
  br label %30

30:
  %31 = phi i64 [ 0, %27 ], [ %36, %35 ]
  %32 = getelementptr double, ptr %4, i64 %31
  %33 = mul nsw i64 %31, %29
  %34 = getelementptr double, ptr %25, i64 %33
  br label %38

35:
  %36 = add nsw i64 %31, 1
  %37 = icmp eq i64 %36, %15
  br i1 %37, label %46, label %30

38:
  %39 = phi i64 [ 0, %30 ], [ %44, %38 ]
  %40 = mul nsw i64 %39, %28
  %41 = getelementptr double, ptr %32, i64 %40
  %42 = load double, ptr %41, align 8
  %43 = getelementptr double, ptr %34, i64 %39
  store double %42, ptr %43, align 8
  %44 = add nsw i64 %39, 1
  %45 = icmp eq i64 %44, %15
  br i1 %45, label %35, label %38

46:
  %47 = phi ptr [ %4, %7 ], [ %25, %19 ], [ %25, %35 ]
  %48 = phi i32 [ %5, %7 ], [ 1, %19 ], [ %26, %35 ]
  store ptr %47, ptr %14, align 8
  %49 = getelementptr inbounds i8, ptr %14, i64 8
  store i32 %48, ptr %49, align 8
  call void @dsyev_(ptr %8, ptr %9, ptr %10, ptr %47, ptr %49, ptr %6, ptr %13, ptr %12, ptr %11)
  %50 = load double, ptr %13, align 8
  %51 = fptosi double %50 to i32
  store i32 %51, ptr %12, align 4
  %52 = sext i32 %51 to i64
  %53 = shl nsw i64 %52, 3
  %54 = call ptr @malloc(i64 %53)
  %55 = load ptr, ptr %14, align 8
  call void @dsyev_(ptr %8, ptr %9, ptr %10, ptr %55, ptr %49, ptr %6, ptr %54, ptr %12, ptr %11)
  call void @free(ptr %54)
  %56 = load i32, ptr %10, align 4
  %57 = sext i32 %56 to i64
  %58 = load ptr, ptr %14, align 8
  %59 = load i32, ptr %49, align 8
  br i1 %18, label %60, label %82

60:
  %61 = icmp sgt i32 %56, 0
  br i1 %61, label %62, label %70

62:
  %63 = sext i32 %59 to i64
  %64 = sext i32 %5 to i64
  br label %65

65:
  %66 = phi i64 [ 0, %62 ], [ %72, %71 ]
  %67 = getelementptr double, ptr %4, i64 %66
  %68 = mul nsw i64 %66, %63
  %69 = getelementptr double, ptr %58, i64 %68
  br label %74

70:
  call void @free(ptr %58)
  br label %82

71:
  %72 = add nsw i64 %66, 1
  %73 = icmp eq i64 %72, %57
  br i1 %73, label %70, label %65

74:
  %75 = phi i64 [ 0, %65 ], [ %80, %74 ]
  %76 = getelementptr double, ptr %69, i64 %75
  %77 = load double, ptr %76, align 8
  %78 = mul nsw i64 %75, %64
  %79 = getelementptr double, ptr %67, i64 %78
  store double %77, ptr %79, align 8
  %80 = add nsw i64 %75, 1
  %81 = icmp eq i64 %80, %57
  br i1 %81, label %71, label %74

82:
  %83 = load i32, ptr %11, align 4
  ret i32 %83
}
declare void @dsyev_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_dsyevd(i32 %0, i8 %1, i8 %2, i32 %3, ptr %4, i32 %5, ptr %6) {
7:
  %8 = alloca i8, align 1
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca double, align 8
  %16 = alloca %struct.d_columns, align 8
  store i8 %1, ptr %8, align 1
  store i8 %2, ptr %9, align 1
  store i32 %3, ptr %10, align 4
  store i32 -1, ptr %12, align 4
  store i32 -1, ptr %13, align 4
  %17 = sext i32 %3 to i64
  %18 = icmp eq i32 %0, 101
  %19 = icmp ne ptr %4, null
  %20 = and i1 %18, %19
  br i1 %20, label %21, label %48

21:
  %22 = icmp sgt i32 %3, 0
  %23 = select i1 %22, i64 %17, i64 1
  %24 = call i64 @llvm.smax.i64(i64 %17, i64 1)
  %25 = shl nsw i64 %24, 3
  %26 = mul i64 %25, %23
  %27 = call ptr @malloc(i64 %26)
  %28 = select i1 %22, i32 %3, i32 1
  br i1 %22, label %29, label %48

29:
  %30 = sext i32 %5 to i64
  %31 = zext i32 %3 to i64
  br label %32

32:
  %33 = phi i64 [ 0, %29 ], [ %38, %37 ]
  %34 = getelementptr double, ptr %4, i64 %33
  %35 = mul nsw i64 %33, %31
  %36 = getelementptr double, ptr %27, i64 %35
  br label %40

37:
  %38 = add nsw i64 %33, 1
  %39 = icmp eq i64 %38, %17
  br i1 %39, label %48, label %32

40:
  %41 = phi i64 [ 0, %32 ], [ %46, %40 ]
  %42 = mul nsw i64 %41, %30
  %43 = getelementptr double, ptr %34, i64 %42
  %44 = load double, ptr %43, align 8
  %45 = getelementptr double, ptr %36, i64 %41
  store double %44, ptr %45, align 8
  %46 = add nsw i64 %41, 1
  %47 = icmp eq i64 %46, %17
  br i1 %47, label %37, label %40

48:
  %49 = phi ptr [ %4, %7 ], [ %27, %21 ], [ %27, %37 ]
  %50 = phi i32 [ %5, %7 ], [ 1, %21 ], [ %28, %37 ]
  store ptr %49, ptr %16, align 8
  %51 = getelementptr inbounds i8, ptr %16, i64 8
  store i32 %50, ptr %51, align 8
  call void @dsyevd_(ptr %8, ptr %9, ptr %10, ptr %49, ptr %51, ptr %6, ptr %15, ptr %12, ptr %14, ptr %13, ptr %11)
  %52 = load double, ptr %15, align 8
  %53 = fptosi double %52 to i32
  store i32 %53, ptr %12, align 4
  %54 = load i32, ptr %14, align 4
  store i32 %54, ptr %13, align 4
  %55 = sext i32 %53 to i64
  %56 = shl nsw i64 %55, 3
  %57 = call ptr @malloc(i64 %56)
  %58 = sext i32 %54 to i64
  %59 = shl nsw i64 %58, 2
  %60 = call ptr @malloc(i64 %59)
  %61 = load ptr, ptr %16, align 8
  call void @dsyevd_(ptr %8, ptr %9, ptr %10, ptr %61, ptr %51, ptr %6, ptr %57, ptr %12, ptr %60, ptr %13, ptr %11)
  call void @free(ptr %57)
  call void @free(ptr %60)
  %62 = load i32, ptr %10, align 4
  %63 = sext i32 %62 to i64
  %64 = load ptr, ptr %16, align 8
  %65 = load i32, ptr %51, align 8
  br i1 %20, label %66, label %88

66:
  %67 = icmp sgt i32 %62, 0
  br i1 %67, label %68, label %76

68:
  %69 = sext i32 %65 to i64
  %70 = sext i32 %5 to i64
  br label %71

71:
  %72 = phi i64 [ 0, %68 ], [ %78, %77 ]
  %73 = getelementptr double, ptr %4, i64 %72
  %74 = mul nsw i64 %72, %69
  %75 = getelementptr double, ptr %64, i64 %74
  br label %80

76:
  call void @free(ptr %64)
  br label %88

77:
  %78 = add nsw i64 %72, 1
  %79 = icmp eq i64 %78, %63
  br i1 %79, label %76, label %71

80:
  %81 = phi i64 [ 0, %71 ], [ %86, %80 ]
  %82 = getelementptr double, ptr %75, i64 %81
  %83 = load double, ptr %82, align 8
  %84 = mul nsw i64 %81, %70
  %85 = getelementptr double, ptr %73, i64 %84
  store double %83, ptr %85, align 8
  %86 = add nsw i64 %81, 1
  %87 = icmp eq i64 %86, %63
  br i1 %87, label %77, label %80

88:
  %89 = load i32, ptr %11, align 4
  ret i32 %89
}
declare void @dsyevd_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_dgesvd(i32 %0, i8 %1, i8 %2, i32 %3, i32 %4, ptr %5, i32 %6, ptr %7, ptr %8, i32 %9, ptr %10, i32 %11, ptr %12) {
13:
  %14 = alloca i8, align 1
  %15 = alloca i8, align 1
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca double, align 8
  %21 = alloca %struct.d_columns, align 8
  %22 = alloca %struct.d_columns, align 8
  %23 = alloca %struct.d_columns, align 8
  store i8 %1, ptr %14, align 1
  store i8 %2, ptr %15, align 1
  store i32 %3, ptr %16, align 4
  store i32 %4, ptr %17, align 4
  store i32 -1, ptr %19, align 4
  %24 = call i32 @llvm.smin.i32(i32 %3, i32 %4)
  %25 = and i8 %1, -33
  %26 = icmp eq i8 %25, 65
  %27 = icmp eq i8 %25, 83
  %28 = select i1 %27, i32 %24, i32 0
  %29 = select i1 %26, i32 %3, i32 %28
  %30 = and i8 %2, -33
  %31 = icmp eq i8 %30, 65
  %32 = icmp eq i8 %30, 83
  %33 = select i1 %32, i32 %24, i32 0
  %34 = select i1 %31, i32 %4, i32 %33
  %35 = sext i32 %3 to i64
  %36 = sext i32 %4 to i64
  %37 = icmp eq i32 %0, 101
  %38 = icmp ne ptr %5, null
  %39 = and i1 %37, %38
  br i1 %39, label %40, label %69

40:
  %41 = icmp sgt i32 %3, 0
  %42 = call i64 @llvm.smax.i64(i64 %36, i64 1)
  %43 = shl nsw i64 %35, 3
  %44 = select i1 %41, i64 %43, i64 8
  %45 = mul i64 %44, %42
  %46 = call ptr @malloc(i64 %45)
  %47 = select i1 %41, i32 %3, i32 1
  %48 = icmp sgt i32 %4, 0
  br i1 %48, label %49, label %69

49:
  %50 = sext i32 %6 to i64
  %51 = zext i32 %47 to i64
  br label %52

52:
  %53 = phi i64 [ 0, %49 ], [ %59, %58 ]
  %54 = getelementptr double, ptr %5, i64 %53
  br i1 %41, label %55, label %58

55:
  %56 = mul nsw i64 %53, %51
  %57 = getelementptr double, ptr %46, i64 %56
  br label %61

58:
  %59 = add nsw i64 %53, 1
  %60 = icmp eq i64 %59, %36
  br i1 %60, label %69, label %52

61:
  %62 = phi i64 [ 0, %55 ], [ %67, %61 ]
  %63 = mul nsw i64 %62, %50
  %64 = getelementptr double, ptr %54, i64 %63
  %65 = load double, ptr %64, align 8
  %66 = getelementptr double, ptr %57, i64 %62
  store double %65, ptr %66, align 8
  %67 = add nsw i64 %62, 1
  %68 = icmp eq i64 %67, %35
  br i1 %68, label %58, label %61

69:
  %70 = phi ptr [ %5, %13 ], [ %46, %40 ], [ %46, %58 ]
  %71 = phi i32 [ %6, %13 ], [ %47, %40 ], [ %47, %58 ]
  store ptr %70, ptr %21, align 8
  %72 = getelementptr inbounds i8, ptr %21, i64 8
  store i32 %71, ptr %72, align 8
  %73 = sext i32 %29 to i64
  %74 = icmp ne ptr %8, null
  %75 = and i1 %37, %74
  br i1 %75, label %76, label %105

76:
  %77 = icmp sgt i32 %3, 0
  %78 = call i64 @llvm.smax.i64(i64 %73, i64 1)
  %79 = shl nsw i64 %35, 3
  %80 = select i1 %77, i64 %79, i64 8
  %81 = mul i64 %80, %78
  %82 = call ptr @malloc(i64 %81)
  %83 = select i1 %77, i32 %3, i32 1
  %84 = icmp sgt i32 %29, 0
  br i1 %84, label %85, label %105

85:
  %86 = sext i32 %9 to i64
  %87 = zext i32 %83 to i64
  br label %88

88:
  %89 = phi i64 [ 0, %85 ], [ %95, %94 ]
  %90 = getelementptr double, ptr %8, i64 %89
  br i1 %77, label %91, label %94

91:
  %92 = mul nsw i64 %89, %87
  %93 = getelementptr double, ptr %82, i64 %92
  br label %97

94:
  %95 = add nsw i64 %89, 1
  %96 = icmp eq i64 %95, %73
  br i1 %96, label %105, label %88

97:
  %98 = phi i64 [ 0, %91 ], [ %103, %97 ]
  %99 = mul nsw i64 %98, %86
  %100 = getelementptr double, ptr %90, i64 %99
  %101 = load double, ptr %100, align 8
  %102 = getelementptr double, ptr %93, i64 %98
  store double %101, ptr %102, align 8
  %103 = add nsw i64 %98, 1
  %104 = icmp eq i64 %103, %35
  br i1 %104, label %94, label %97

105:
  %106 = phi ptr [ %8, %69 ], [ %82, %76 ], [ %82, %94 ]
  %107 = phi i32 [ %9, %69 ], [ %83, %76 ], [ %83, %94 ]
  store ptr %106, ptr %22, align 8
  %108 = getelementptr inbounds i8, ptr %22, i64 8
  store i32 %107, ptr %108, align 8
  %109 = sext i32 %34 to i64
  %110 = icmp ne ptr %10, null
  %111 = and i1 %37, %110
  br i1 %111, label %112, label %141

112:
  %113 = icmp sgt i32 %34, 0
  %114 = select i1 %113, i64 %109, i64 1
  %115 = call i64 @llvm.smax.i64(i64 %36, i64 1)
  %116 = shl nsw i64 %115, 3
  %117 = mul i64 %116, %114
  %118 = call ptr @malloc(i64 %117)
  %119 = select i1 %113, i32 %34, i32 1
  %120 = icmp sgt i32 %4, 0
  br i1 %120, label %121, label %141

121:
  %122 = sext i32 %11 to i64
  %123 = zext i32 %119 to i64
  br label %124

124:
  %125 = phi i64 [ 0, %121 ], [ %131, %130 ]
  %126 = getelementptr double, ptr %10, i64 %125
  br i1 %113, label %127, label %130

127:
  %128 = mul nsw i64 %125, %123
  %129 = getelementptr double, ptr %118, i64 %128
  br label %133

130:
  %131 = add nsw i64 %125, 1
  %132 = icmp eq i64 %131, %36
  br i1 %132, label %141, label %124

133:
  %134 = phi i64 [ 0, %127 ], [ %139, %133 ]
  %135 = mul nsw i64 %134, %122
  %136 = getelementptr double, ptr %126, i64 %135
  %137 = load double, ptr %136, align 8
  %138 = getelementptr double, ptr %129, i64 %134
  store double %137, ptr %138, align 8
  %139 = add nsw i64 %134, 1
  %140 = icmp eq i64 %139, %109
  br i1 %140, label %130, label %133

141:
  %142 = phi ptr [ %10, %105 ], [ %118, %112 ], [ %118, %130 ]
  %143 = phi i32 [ %11, %105 ], [ %119, %112 ], [ %119, %130 ]
  store ptr %142, ptr %23, align 8
  %144 = getelementptr inbounds i8, ptr %23, i64 8
  store i32 %143, ptr %144, align 8
  call void @dgesvd_(ptr %14, ptr %15, ptr %16, ptr %17, ptr %70, ptr %72, ptr %7, ptr %106, ptr %108, ptr %142, ptr %144, ptr %20, ptr %19, ptr %18)
  %145 = load double, ptr %20, align 8
  %146 = fptosi double %145 to i32
  store i32 %146, ptr %19, align 4
  %147 = sext i32 %146 to i64
  %148 = shl nsw i64 %147, 3
  %149 = call ptr @malloc(i64 %148)
  %150 = load ptr, ptr %21, align 8
  %151 = load ptr, ptr %22, align 8
  %152 = load ptr, ptr %23, align 8
  call void @dgesvd_(ptr %14, ptr %15, ptr %16, ptr %17, ptr %150, ptr %72, ptr %7, ptr %151, ptr %108, ptr %152, ptr %144, ptr %149, ptr %19, ptr %18)
  %153 = load i32, ptr %16, align 4
  %154 = load i32, ptr %17, align 4
  %155 = call i32 @llvm.smin.i32(i32 %153, i32 %154)
  %156 = icmp sgt i32 %155, 1
  br i1 %156, label %157, label %160

157:
  %158 = add nsw i32 %155, -1
  %159 = zext i32 %158 to i64
  br label %251

160:
  call void @free(ptr %149)
  %161 = sext i32 %153 to i64
  %162 = sext i32 %154 to i64
  %163 = load ptr, ptr %21, align 8
  %164 = load i32, ptr %72, align 8
  br i1 %39, label %165, label %191

165:
  %166 = icmp sgt i32 %154, 0
  br i1 %166, label %167, label %177

167:
  %168 = icmp sgt i32 %153, 0
  %169 = sext i32 %164 to i64
  %170 = sext i32 %6 to i64
  br label %171

171:
  %172 = phi i64 [ 0, %167 ], [ %181, %180 ]
  %173 = getelementptr double, ptr %5, i64 %172
  br i1 %168, label %174, label %180

174:
  %175 = mul nsw i64 %172, %169
  %176 = getelementptr double, ptr %163, i64 %175
  br label %183

177:
  call void @free(ptr %163)
  %178 = load i32, ptr %16, align 4
  %179 = sext i32 %178 to i64
  br label %191

180:
  %181 = add nsw i64 %172, 1
  %182 = icmp eq i64 %181, %162
  br i1 %182, label %177, label %171

183:
  %184 = phi i64 [ 0, %174 ], [ %189, %183 ]
  %185 = getelementptr double, ptr %176, i64 %184
  %186 = load double, ptr %185, align 8
  %187 = mul nsw i64 %184, %170
  %188 = getelementptr double, ptr %173, i64 %187
  store double %186, ptr %188, align 8
  %189 = add nsw i64 %184, 1
  %190 = icmp eq i64 %189, %161
  br i1 %190, label %180, label %183

191:
  %192 = phi i64 [ %161, %160 ], [ %179, %177 ]
  %193 = phi i32 [ %153, %160 ], [ %178, %177 ]
  %194 = load ptr, ptr %22, align 8
  %195 = load i32, ptr %108, align 8
  br i1 %75, label %196, label %220

196:
  %197 = icmp sgt i32 %29, 0
  br i1 %197, label %198, label %208

198:
  %199 = icmp sgt i32 %193, 0
  %200 = sext i32 %195 to i64
  %201 = sext i32 %9 to i64
  br label %202

202:
  %203 = phi i64 [ 0, %198 ], [ %210, %209 ]
  %204 = getelementptr double, ptr %8, i64 %203
  br i1 %199, label %205, label %209

205:
  %206 = mul nsw i64 %203, %200
  %207 = getelementptr double, ptr %194, i64 %206
  br label %212

208:
  call void @free(ptr %194)
  br label %220

209:
  %210 = add nsw i64 %203, 1
  %211 = icmp eq i64 %210, %73
  br i1 %211, label %208, label %202

212:
  %213 = phi i64 [ 0, %205 ], [ %218, %212 ]
  %214 = getelementptr double, ptr %207, i64 %213
  %215 = load double, ptr %214, align 8
  %216 = mul nsw i64 %213, %201
  %217 = getelementptr double, ptr %204, i64 %216
  store double %215, ptr %217, align 8
  %218 = add nsw i64 %213, 1
  %219 = icmp eq i64 %218, %192
  br i1 %219, label %209, label %212

220:
  %221 = load i32, ptr %17, align 4
  %222 = sext i32 %221 to i64
  %223 = load ptr, ptr %23, align 8
  %224 = load i32, ptr %144, align 8
  br i1 %111, label %225, label %249

225:
  %226 = icmp sgt i32 %221, 0
  br i1 %226, label %227, label %237

227:
  %228 = icmp sgt i32 %34, 0
  %229 = sext i32 %224 to i64
  %230 = sext i32 %11 to i64
  br label %231

231:
  %232 = phi i64 [ 0, %227 ], [ %239, %238 ]
  %233 = getelementptr double, ptr %10, i64 %232
  br i1 %228, label %234, label %238

234:
  %235 = mul nsw i64 %232, %229
  %236 = getelementptr double, ptr %223, i64 %235
  br label %241

237:
  call void @free(ptr %223)
  br label %249

238:
  %239 = add nsw i64 %232, 1
  %240 = icmp eq i64 %239, %222
  br i1 %240, label %237, label %231

241:
  %242 = phi i64 [ 0, %234 ], [ %247, %241 ]
  %243 = getelementptr double, ptr %236, i64 %242
  %244 = load double, ptr %243, align 8
  %245 = mul nsw i64 %242, %230
  %246 = getelementptr double, ptr %233, i64 %245
  store double %244, ptr %246, align 8
  %247 = add nsw i64 %242, 1
  %248 = icmp eq i64 %247, %109
  br i1 %248, label %238, label %241

249:
  %250 = load i32, ptr %18, align 4
  ret i32 %250

251:
  %252 = phi i64 [ 0, %157 ], [ %253, %251 ]
  %253 = add nsw i64 %252, 1
  %254 = getelementptr inbounds double, ptr %149, i64 %253
  %255 = load double, ptr %254, align 8
  %256 = getelementptr inbounds double, ptr %12, i64 %252
  store double %255, ptr %256, align 8
  %257 = icmp eq i64 %253, %159
  br i1 %257, label %160, label %251
}
declare void @dgesvd_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_dgesdd(i32 %0, i8 %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, ptr %7, i32 %8, ptr %9, i32 %10) {
11:
  %12 = alloca i8, align 1
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca double, align 8
  %18 = alloca %struct.d_columns, align 8
  %19 = alloca %struct.d_columns, align 8
  %20 = alloca %struct.d_columns, align 8
  store i8 %1, ptr %12, align 1
  store i32 %2, ptr %13, align 4
  store i32 %3, ptr %14, align 4
  store i32 -1, ptr %16, align 4
  %21 = and i8 %1, -33
  %22 = icmp eq i8 %21, 79
  br i1 %22, label %23, label %27

23:
  %24 = icmp slt i32 %2, %3
  %25 = select i1 %24, i32 %2, i32 0
  %26 = select i1 %24, i32 0, i32 %3
  br label %34

27:
  %28 = call i32 @llvm.smin.i32(i32 %2, i32 %3)
  %29 = icmp eq i8 %21, 65
  %30 = icmp eq i8 %21, 83
  %31 = select i1 %30, i32 %28, i32 0
  %32 = select i1 %29, i32 %2, i32 %31
  %33 = select i1 %29, i32 %3, i32 %31
  br label %34

34:
  %35 = phi i32 [ %25, %23 ], [ %32, %27 ]
  %36 = phi i32 [ %26, %23 ], [ %33, %27 ]
  %37 = sext i32 %2 to i64
  %38 = sext i32 %3 to i64
  %39 = icmp eq i32 %0, 101
  %40 = icmp ne ptr %4, null
  %41 = and i1 %39, %40
  br i1 %41, label %42, label %71

42:
  %43 = icmp sgt i32 %2, 0
  %44 = call i64 @llvm.smax.i64(i64 %38, i64 1)
  %45 = shl nsw i64 %37, 3
  %46 = select i1 %43, i64 %45, i64 8
  %47 = mul i64 %46, %44
  %48 = call ptr @malloc(i64 %47)
  %49 = select i1 %43, i32 %2, i32 1
  %50 = icmp sgt i32 %3, 0
  br i1 %50, label %51, label %71

51:
  %52 = sext i32 %5 to i64
  %53 = zext i32 %49 to i64
  br label %54

54:
  %55 = phi i64 [ 0, %51 ], [ %61, %60 ]
  %56 = getelementptr double, ptr %4, i64 %55
  br i1 %43, label %57, label %60

57:
  %58 = mul nsw i64 %55, %53
  %59 = getelementptr double, ptr %48, i64 %58
  br label %63

60:
  %61 = add nsw i64 %55, 1
  %62 = icmp eq i64 %61, %38
  br i1 %62, label %71, label %54

63:
  %64 = phi i64 [ 0, %57 ], [ %69, %63 ]
  %65 = mul nsw i64 %64, %52
  %66 = getelementptr double, ptr %56, i64 %65
  %67 = load double, ptr %66, align 8
  %68 = getelementptr double, ptr %59, i64 %64
  store double %67, ptr %68, align 8
  %69 = add nsw i64 %64, 1
  %70 = icmp eq i64 %69, %37
  br i1 %70, label %60, label %63

71:
  %72 = phi ptr [ %4, %34 ], [ %48, %42 ], [ %48, %60 ]
  %73 = phi i32 [ %5, %34 ], [ %49, %42 ], [ %49, %60 ]
  store ptr %72, ptr %18, align 8
  %74 = getelementptr inbounds i8, ptr %18, i64 8
  store i32 %73, ptr %74, align 8
  %75 = sext i32 %35 to i64
  %76 = icmp ne ptr %7, null
  %77 = and i1 %39, %76
  br i1 %77, label %78, label %107

78:
  %79 = icmp sgt i32 %2, 0
  %80 = call i64 @llvm.smax.i64(i64 %75, i64 1)
  %81 = shl nsw i64 %37, 3
  %82 = select i1 %79, i64 %81, i64 8
  %83 = mul i64 %82, %80
  %84 = call ptr @malloc(i64 %83)
  %85 = select i1 %79, i32 %2, i32 1
  %86 = icmp sgt i32 %35, 0
  br i1 %86, label %87, label %107

87:
  %88 = sext i32 %8 to i64
  %89 = zext i32 %85 to i64
  br label %90

90:
  %91 = phi i64 [ 0, %87 ], [ %97, %96 ]
  %92 = getelementptr double, ptr %7, i64 %91
  br i1 %79, label %93, label %96

93:
  %94 = mul nsw i64 %91, %89
  %95 = getelementptr double, ptr %84, i64 %94
  br label %99

96:
  %97 = add nsw i64 %91, 1
  %98 = icmp eq i64 %97, %75
  br i1 %98, label %107, label %90

99:
  %100 = phi i64 [ 0, %93 ], [ %105, %99 ]
  %101 = mul nsw i64 %100, %88
  %102 = getelementptr double, ptr %92, i64 %101
  %103 = load double, ptr %102, align 8
  %104 = getelementptr double, ptr %95, i64 %100
  store double %103, ptr %104, align 8
  %105 = add nsw i64 %100, 1
  %106 = icmp eq i64 %105, %37
  br i1 %106, label %96, label %99

107:
  %108 = phi ptr [ %7, %71 ], [ %84, %78 ], [ %84, %96 ]
  %109 = phi i32 [ %8, %71 ], [ %85, %78 ], [ %85, %96 ]
  store ptr %108, ptr %19, align 8
  %110 = getelementptr inbounds i8, ptr %19, i64 8
  store i32 %109, ptr %110, align 8
  %111 = sext i32 %36 to i64
  %112 = icmp ne ptr %9, null
  %113 = and i1 %39, %112
  br i1 %113, label %114, label %143

114:
  %115 = icmp sgt i32 %36, 0
  %116 = select i1 %115, i64 %111, i64 1
  %117 = call i64 @llvm.smax.i64(i64 %38, i64 1)
  %118 = shl nsw i64 %117, 3
  %119 = mul i64 %118, %116
  %120 = call ptr @malloc(i64 %119)
  %121 = select i1 %115, i32 %36, i32 1
  %122 = icmp sgt i32 %3, 0
  br i1 %122, label %123, label %143

123:
  %124 = sext i32 %10 to i64
  %125 = zext i32 %121 to i64
  br label %126

126:
  %127 = phi i64 [ 0, %123 ], [ %133, %132 ]
  %128 = getelementptr double, ptr %9, i64 %127
  br i1 %115, label %129, label %132

129:
  %130 = mul nsw i64 %127, %125
  %131 = getelementptr double, ptr %120, i64 %130
  br label %135

132:
  %133 = add nsw i64 %127, 1
  %134 = icmp eq i64 %133, %38
  br i1 %134, label %143, label %126

135:
  %136 = phi i64 [ 0, %129 ], [ %141, %135 ]
  %137 = mul nsw i64 %136, %124
  %138 = getelementptr double, ptr %128, i64 %137
  %139 = load double, ptr %138, align 8
  %140 = getelementptr double, ptr %131, i64 %136
  store double %139, ptr %140, align 8
  %141 = add nsw i64 %136, 1
  %142 = icmp eq i64 %141, %111
  br i1 %142, label %132, label %135

143:
  %144 = phi ptr [ %9, %107 ], [ %120, %114 ], [ %120, %132 ]
  %145 = phi i32 [ %10, %107 ], [ %121, %114 ], [ %121, %132 ]
  store ptr %144, ptr %20, align 8
  %146 = getelementptr inbounds i8, ptr %20, i64 8
  store i32 %145, ptr %146, align 8
  %147 = call i32 @llvm.smin.i32(i32 %2, i32 %3)
  %148 = icmp sgt i32 %147, 0
  %149 = shl nsw i32 %147, 3
  %150 = zext i32 %149 to i64
  %151 = shl nsw i64 %150, 2
  %152 = select i1 %148, i64 %151, i64 32
  %153 = call ptr @malloc(i64 %152)
  call void @dgesdd_(ptr %12, ptr %13, ptr %14, ptr %72, ptr %74, ptr %6, ptr %108, ptr %110, ptr %144, ptr %146, ptr %17, ptr %16, ptr %153, ptr %15)
  %154 = load double, ptr %17, align 8
  %155 = fptosi double %154 to i32
  store i32 %155, ptr %16, align 4
  %156 = sext i32 %155 to i64
  %157 = shl nsw i64 %156, 3
  %158 = call ptr @malloc(i64 %157)
  %159 = load ptr, ptr %18, align 8
  %160 = load ptr, ptr %19, align 8
  %161 = load ptr, ptr %20, align 8
  call void @dgesdd_(ptr %12, ptr %13, ptr %14, ptr %159, ptr %74, ptr %6, ptr %160, ptr %110, ptr %161, ptr %146, ptr %158, ptr %16, ptr %153, ptr %15)
  call void @free(ptr %158)
  call void @free(ptr %153)
  %162 = load i32, ptr %13, align 4
  %163 = sext i32 %162 to i64
  %164 = load i32, ptr %14, align 4
  %165 = sext i32 %164 to i64
  %166 = load ptr, ptr %18, align 8
  %167 = load i32, ptr %74, align 8
  br i1 %41, label %168, label %194

168:
  %169 = icmp sgt i32 %164, 0
  br i1 %169, label %170, label %180

170:
  %171 = icmp sgt i32 %162, 0
  %172 = sext i32 %167 to i64
  %173 = sext i32 %5 to i64
  br label %174

174:
  %175 = phi i64 [ 0, %170 ], [ %184, %183 ]
  %176 = getelementptr double, ptr %4, i64 %175
  br i1 %171, label %177, label %183

177:
  %178 = mul nsw i64 %175, %172
  %179 = getelementptr double, ptr %166, i64 %178
  br label %186

180:
  call void @free(ptr %166)
  %181 = load i32, ptr %13, align 4
  %182 = sext i32 %181 to i64
  br label %194

183:
  %184 = add nsw i64 %175, 1
  %185 = icmp eq i64 %184, %165
  br i1 %185, label %180, label %174

186:
  %187 = phi i64 [ 0, %177 ], [ %192, %186 ]
  %188 = getelementptr double, ptr %179, i64 %187
  %189 = load double, ptr %188, align 8
  %190 = mul nsw i64 %187, %173
  %191 = getelementptr double, ptr %176, i64 %190
  store double %189, ptr %191, align 8
  %192 = add nsw i64 %187, 1
  %193 = icmp eq i64 %192, %163
  br i1 %193, label %183, label %186

194:
  %195 = phi i64 [ %163, %143 ], [ %182, %180 ]
  %196 = phi i32 [ %162, %143 ], [ %181, %180 ]
  %197 = load ptr, ptr %19, align 8
  %198 = load i32, ptr %110, align 8
  br i1 %77, label %199, label %223

199:
  %200 = icmp sgt i32 %35, 0
  br i1 %200, label %201, label %211

201:
  %202 = icmp sgt i32 %196, 0
  %203 = sext i32 %198 to i64
  %204 = sext i32 %8 to i64
  br label %205

205:
  %206 = phi i64 [ 0, %201 ], [ %213, %212 ]
  %207 = getelementptr double, ptr %7, i64 %206
  br i1 %202, label %208, label %212

208:
  %209 = mul nsw i64 %206, %203
  %210 = getelementptr double, ptr %197, i64 %209
  br label %215

211:
  call void @free(ptr %197)
  br label %223

212:
  %213 = add nsw i64 %206, 1
  %214 = icmp eq i64 %213, %75
  br i1 %214, label %211, label %205

215:
  %216 = phi i64 [ 0, %208 ], [ %221, %215 ]
  %217 = getelementptr double, ptr %210, i64 %216
  %218 = load double, ptr %217, align 8
  %219 = mul nsw i64 %216, %204
  %220 = getelementptr double, ptr %207, i64 %219
  store double %218, ptr %220, align 8
  %221 = add nsw i64 %216, 1
  %222 = icmp eq i64 %221, %195
  br i1 %222, label %212, label %215

223:
  %224 = load i32, ptr %14, align 4
  %225 = sext i32 %224 to i64
  %226 = load ptr, ptr %20, align 8
  %227 = load i32, ptr %146, align 8
  br i1 %113, label %228, label %252

228:
  %229 = icmp sgt i32 %224, 0
  br i1 %229, label %230, label %240

230:
  %231 = icmp sgt i32 %36, 0
  %232 = sext i32 %227 to i64
  %233 = sext i32 %10 to i64
  br label %234

234:
  %235 = phi i64 [ 0, %230 ], [ %242, %241 ]
  %236 = getelementptr double, ptr %9, i64 %235
  br i1 %231, label %237, label %241

237:
  %238 = mul nsw i64 %235, %232
  %239 = getelementptr double, ptr %226, i64 %238
  br label %244

240:
  call void @free(ptr %226)
  br label %252

241:
  %242 = add nsw i64 %235, 1
  %243 = icmp eq i64 %242, %225
  br i1 %243, label %240, label %234

244:
  %245 = phi i64 [ 0, %237 ], [ %250, %244 ]
  %246 = getelementptr double, ptr %239, i64 %245
  %247 = load double, ptr %246, align 8
  %248 = mul nsw i64 %245, %233
  %249 = getelementptr double, ptr %236, i64 %248
  store double %247, ptr %249, align 8
  %250 = add nsw i64 %245, 1
  %251 = icmp eq i64 %250, %111
  br i1 %251, label %241, label %244

252:
  %253 = load i32, ptr %15, align 4
  ret i32 %253
}
declare void @dgesdd_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal double @gradir.body._FortranASumReal8(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp sgt i8 %7, 1
  br i1 %8, label %9, label %20

9:
  %10 = zext i8 %7 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %25, label %11

20:
  %21 = icmp eq i8 %7, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  br label %29

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = icmp sgt i64 %17, 0
  br i1 %28, label %29, label %48

29:
  %30 = phi i64 [ %24, %22 ], [ %27, %25 ], [ 1, %20 ]
  %31 = phi i64 [ 1, %22 ], [ %17, %25 ], [ 1, %20 ]
  %32 = icmp sgt i64 %30, 0
  %33 = icmp eq ptr %4, null
  %34 = getelementptr inbounds i8, ptr %4, i64 20
  %35 = getelementptr inbounds i8, ptr %4, i64 24
  %36 = getelementptr inbounds i8, ptr %4, i64 64
  %37 = getelementptr inbounds i8, ptr %4, i64 40
  %38 = getelementptr inbounds i8, ptr %4, i64 8
  %39 = icmp slt i8 %7, 3
  %40 = getelementptr inbounds i8, ptr %0, i64 24
  %41 = zext i8 %7 to i64
  %42 = icmp eq i8 %7, 2
  %43 = getelementptr inbounds i8, ptr %0, i64 64
  %44 = getelementptr inbounds i8, ptr %0, i64 40
  br label %45

45:
  %46 = phi double [ 0.000000e+00, %29 ], [ %51, %50 ]
  %47 = phi i64 [ 0, %29 ], [ %52, %50 ]
  br i1 %32, label %54, label %50

48:
  %49 = phi double [ 0.000000e+00, %25 ], [ %51, %50 ]
  ret double %49

50:
  %51 = phi double [ %46, %45 ], [ %135, %134 ]
  %52 = add nsw i64 %47, 1
  %53 = icmp eq i64 %52, %31
  br i1 %53, label %48, label %45

54:
  %55 = phi i64 [ %136, %134 ], [ 0, %45 ]
  %56 = phi double [ %135, %134 ], [ %46, %45 ]
  br i1 %33, label %105, label %57

57:
  %58 = load ptr, ptr %4, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %105, label %60

60:
  %61 = load i8, ptr %34, align 4
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %93, label %63

63:
  %64 = icmp slt i8 %61, 3
  br i1 %64, label %67, label %65

65:
  %66 = zext i8 %61 to i64
  br label %72

67:
  %68 = icmp eq i8 %61, 2
  br i1 %68, label %69, label %87

69:
  %70 = load i64, ptr %36, align 8
  %71 = mul nsw i64 %70, %47
  br label %87

72:
  %73 = phi i64 [ 1, %65 ], [ %85, %72 ]
  %74 = phi i64 [ 0, %65 ], [ %83, %72 ]
  %75 = phi i64 [ %47, %65 ], [ %84, %72 ]
  %76 = getelementptr inbounds %struct.dimension, ptr %35, i64 %73
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load i64, ptr %77, align 8
  %79 = srem i64 %75, %78
  %80 = getelementptr inbounds i8, ptr %76, i64 16
  %81 = load i64, ptr %80, align 8
  %82 = mul nsw i64 %81, %79
  %83 = add nsw i64 %82, %74
  %84 = sdiv i64 %75, %78
  %85 = add nsw i64 %73, 1
  %86 = icmp eq i64 %85, %66
  br i1 %86, label %87, label %72

87:
  %88 = phi i64 [ 0, %67 ], [ %71, %69 ], [ %83, %72 ]
  %89 = load i64, ptr %37, align 8
  %90 = mul nsw i64 %89, %55
  %91 = getelementptr i8, ptr %58, i64 %88
  %92 = getelementptr i8, ptr %91, i64 %90
  br label %93

93:
  %94 = phi ptr [ %92, %87 ], [ %58, %60 ]
  %95 = load i64, ptr %38, align 8
  switch i64 %95, label %99 [    i64 8, label %96    i64 4, label %102  ]

96:
  %97 = load i64, ptr %94, align 8
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %134, label %105

99:
  %100 = load i8, ptr %94, align 1
  %101 = icmp eq i8 %100, 0
  br i1 %101, label %134, label %105

102:
  %103 = load i32, ptr %94, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %134, label %105

105:
  %106 = load ptr, ptr %0, align 8
  br i1 %39, label %107, label %111

107:
  br i1 %42, label %108, label %126

108:
  %109 = load i64, ptr %43, align 8
  %110 = mul nsw i64 %109, %47
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %47, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %40, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %41
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %106, i64 %127
  %129 = load i64, ptr %44, align 8
  %130 = mul nsw i64 %129, %55
  %131 = getelementptr inbounds i8, ptr %128, i64 %130
  %132 = load double, ptr %131, align 8
  %133 = fadd double %56, %132
  br label %134

134:
  %135 = phi double [ %133, %126 ], [ %56, %102 ], [ %56, %96 ], [ %56, %99 ]
  %136 = add nsw i64 %55, 1
  %137 = icmp eq i64 %136, %30
  br i1 %137, label %50, label %54
}
define internal double @gradir.body._FortranAProductReal8(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp sgt i8 %7, 1
  br i1 %8, label %9, label %20

9:
  %10 = zext i8 %7 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %25, label %11

20:
  %21 = icmp eq i8 %7, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  br label %29

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = icmp sgt i64 %17, 0
  br i1 %28, label %29, label %48

29:
  %30 = phi i64 [ %24, %22 ], [ %27, %25 ], [ 1, %20 ]
  %31 = phi i64 [ 1, %22 ], [ %17, %25 ], [ 1, %20 ]
  %32 = icmp sgt i64 %30, 0
  %33 = icmp eq ptr %4, null
  %34 = getelementptr inbounds i8, ptr %4, i64 20
  %35 = getelementptr inbounds i8, ptr %4, i64 24
  %36 = getelementptr inbounds i8, ptr %4, i64 64
  %37 = getelementptr inbounds i8, ptr %4, i64 40
  %38 = getelementptr inbounds i8, ptr %4, i64 8
  %39 = icmp slt i8 %7, 3
  %40 = getelementptr inbounds i8, ptr %0, i64 24
  %41 = zext i8 %7 to i64
  %42 = icmp eq i8 %7, 2
  %43 = getelementptr inbounds i8, ptr %0, i64 64
  %44 = getelementptr inbounds i8, ptr %0, i64 40
  br label %45

45:
  %46 = phi double [ 1.000000e+00, %29 ], [ %51, %50 ]
  %47 = phi i64 [ 0, %29 ], [ %52, %50 ]
  br i1 %32, label %54, label %50

48:
  %49 = phi double [ 1.000000e+00, %25 ], [ %51, %50 ]
  ret double %49

50:
  %51 = phi double [ %46, %45 ], [ %135, %134 ]
  %52 = add nsw i64 %47, 1
  %53 = icmp eq i64 %52, %31
  br i1 %53, label %48, label %45

54:
  %55 = phi i64 [ %136, %134 ], [ 0, %45 ]
  %56 = phi double [ %135, %134 ], [ %46, %45 ]
  br i1 %33, label %105, label %57

57:
  %58 = load ptr, ptr %4, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %105, label %60

60:
  %61 = load i8, ptr %34, align 4
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %93, label %63

63:
  %64 = icmp slt i8 %61, 3
  br i1 %64, label %67, label %65

65:
  %66 = zext i8 %61 to i64
  br label %72

67:
  %68 = icmp eq i8 %61, 2
  br i1 %68, label %69, label %87

69:
  %70 = load i64, ptr %36, align 8
  %71 = mul nsw i64 %70, %47
  br label %87

72:
  %73 = phi i64 [ 1, %65 ], [ %85, %72 ]
  %74 = phi i64 [ 0, %65 ], [ %83, %72 ]
  %75 = phi i64 [ %47, %65 ], [ %84, %72 ]
  %76 = getelementptr inbounds %struct.dimension, ptr %35, i64 %73
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load i64, ptr %77, align 8
  %79 = srem i64 %75, %78
  %80 = getelementptr inbounds i8, ptr %76, i64 16
  %81 = load i64, ptr %80, align 8
  %82 = mul nsw i64 %81, %79
  %83 = add nsw i64 %82, %74
  %84 = sdiv i64 %75, %78
  %85 = add nsw i64 %73, 1
  %86 = icmp eq i64 %85, %66
  br i1 %86, label %87, label %72

87:
  %88 = phi i64 [ 0, %67 ], [ %71, %69 ], [ %83, %72 ]
  %89 = load i64, ptr %37, align 8
  %90 = mul nsw i64 %89, %55
  %91 = getelementptr i8, ptr %58, i64 %88
  %92 = getelementptr i8, ptr %91, i64 %90
  br label %93

93:
  %94 = phi ptr [ %92, %87 ], [ %58, %60 ]
  %95 = load i64, ptr %38, align 8
  switch i64 %95, label %99 [    i64 8, label %96    i64 4, label %102  ]

96:
  %97 = load i64, ptr %94, align 8
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %134, label %105

99:
  %100 = load i8, ptr %94, align 1
  %101 = icmp eq i8 %100, 0
  br i1 %101, label %134, label %105

102:
  %103 = load i32, ptr %94, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %134, label %105

105:
  %106 = load ptr, ptr %0, align 8
  br i1 %39, label %107, label %111

107:
  br i1 %42, label %108, label %126

108:
  %109 = load i64, ptr %43, align 8
  %110 = mul nsw i64 %109, %47
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %47, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %40, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %41
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %106, i64 %127
  %129 = load i64, ptr %44, align 8
  %130 = mul nsw i64 %129, %55
  %131 = getelementptr inbounds i8, ptr %128, i64 %130
  %132 = load double, ptr %131, align 8
  %133 = fmul double %56, %132
  br label %134

134:
  %135 = phi double [ %133, %126 ], [ %56, %102 ], [ %56, %96 ], [ %56, %99 ]
  %136 = add nsw i64 %55, 1
  %137 = icmp eq i64 %136, %30
  br i1 %137, label %50, label %54
}
define internal double @gradir.body._FortranAMaxvalReal8(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp sgt i8 %7, 1
  br i1 %8, label %9, label %20

9:
  %10 = zext i8 %7 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %25, label %11

20:
  %21 = icmp eq i8 %7, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  br label %29

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = icmp sgt i64 %17, 0
  br i1 %28, label %29, label %48

29:
  %30 = phi i64 [ %24, %22 ], [ %27, %25 ], [ 1, %20 ]
  %31 = phi i64 [ 1, %22 ], [ %17, %25 ], [ 1, %20 ]
  %32 = icmp sgt i64 %30, 0
  %33 = icmp eq ptr %4, null
  %34 = getelementptr inbounds i8, ptr %4, i64 20
  %35 = getelementptr inbounds i8, ptr %4, i64 24
  %36 = getelementptr inbounds i8, ptr %4, i64 64
  %37 = getelementptr inbounds i8, ptr %4, i64 40
  %38 = getelementptr inbounds i8, ptr %4, i64 8
  %39 = icmp slt i8 %7, 3
  %40 = getelementptr inbounds i8, ptr %0, i64 24
  %41 = zext i8 %7 to i64
  %42 = icmp eq i8 %7, 2
  %43 = getelementptr inbounds i8, ptr %0, i64 64
  %44 = getelementptr inbounds i8, ptr %0, i64 40
  br label %45

45:
  %46 = phi double [ 0xFFEFFFFFFFFFFFFF, %29 ], [ %51, %50 ]
  %47 = phi i64 [ 0, %29 ], [ %52, %50 ]
  br i1 %32, label %54, label %50

48:
  %49 = phi double [ 0xFFEFFFFFFFFFFFFF, %25 ], [ %51, %50 ]
  ret double %49

50:
  %51 = phi double [ %46, %45 ], [ %136, %135 ]
  %52 = add nsw i64 %47, 1
  %53 = icmp eq i64 %52, %31
  br i1 %53, label %48, label %45

54:
  %55 = phi double [ %136, %135 ], [ %46, %45 ]
  %56 = phi i64 [ %137, %135 ], [ 0, %45 ]
  br i1 %33, label %105, label %57

57:
  %58 = load ptr, ptr %4, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %105, label %60

60:
  %61 = load i8, ptr %34, align 4
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %93, label %63

63:
  %64 = icmp slt i8 %61, 3
  br i1 %64, label %67, label %65

65:
  %66 = zext i8 %61 to i64
  br label %72

67:
  %68 = icmp eq i8 %61, 2
  br i1 %68, label %69, label %87

69:
  %70 = load i64, ptr %36, align 8
  %71 = mul nsw i64 %70, %47
  br label %87

72:
  %73 = phi i64 [ 1, %65 ], [ %85, %72 ]
  %74 = phi i64 [ 0, %65 ], [ %83, %72 ]
  %75 = phi i64 [ %47, %65 ], [ %84, %72 ]
  %76 = getelementptr inbounds %struct.dimension, ptr %35, i64 %73
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load i64, ptr %77, align 8
  %79 = srem i64 %75, %78
  %80 = getelementptr inbounds i8, ptr %76, i64 16
  %81 = load i64, ptr %80, align 8
  %82 = mul nsw i64 %81, %79
  %83 = add nsw i64 %82, %74
  %84 = sdiv i64 %75, %78
  %85 = add nsw i64 %73, 1
  %86 = icmp eq i64 %85, %66
  br i1 %86, label %87, label %72

87:
  %88 = phi i64 [ 0, %67 ], [ %71, %69 ], [ %83, %72 ]
  %89 = load i64, ptr %37, align 8
  %90 = mul nsw i64 %89, %56
  %91 = getelementptr i8, ptr %58, i64 %88
  %92 = getelementptr i8, ptr %91, i64 %90
  br label %93

93:
  %94 = phi ptr [ %92, %87 ], [ %58, %60 ]
  %95 = load i64, ptr %38, align 8
  switch i64 %95, label %99 [    i64 8, label %96    i64 4, label %102  ]

96:
  %97 = load i64, ptr %94, align 8
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %135, label %105

99:
  %100 = load i8, ptr %94, align 1
  %101 = icmp eq i8 %100, 0
  br i1 %101, label %135, label %105

102:
  %103 = load i32, ptr %94, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %135, label %105

105:
  %106 = load ptr, ptr %0, align 8
  br i1 %39, label %107, label %111

107:
  br i1 %42, label %108, label %126

108:
  %109 = load i64, ptr %43, align 8
  %110 = mul nsw i64 %109, %47
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %47, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %40, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %41
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %106, i64 %127
  %129 = load i64, ptr %44, align 8
  %130 = mul nsw i64 %129, %56
  %131 = getelementptr inbounds i8, ptr %128, i64 %130
  %132 = load double, ptr %131, align 8
  %133 = fcmp ogt double %132, %55
  %134 = select i1 %133, double %132, double %55
  br label %135

135:
  %136 = phi double [ %134, %126 ], [ %55, %102 ], [ %55, %96 ], [ %55, %99 ]
  %137 = add nsw i64 %56, 1
  %138 = icmp eq i64 %137, %30
  br i1 %138, label %50, label %54
}
define internal double @gradir.body._FortranAMinvalReal8(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp sgt i8 %7, 1
  br i1 %8, label %9, label %20

9:
  %10 = zext i8 %7 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %25, label %11

20:
  %21 = icmp eq i8 %7, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  br label %29

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = icmp sgt i64 %17, 0
  br i1 %28, label %29, label %48

29:
  %30 = phi i64 [ %24, %22 ], [ %27, %25 ], [ 1, %20 ]
  %31 = phi i64 [ 1, %22 ], [ %17, %25 ], [ 1, %20 ]
  %32 = icmp sgt i64 %30, 0
  %33 = icmp eq ptr %4, null
  %34 = getelementptr inbounds i8, ptr %4, i64 20
  %35 = getelementptr inbounds i8, ptr %4, i64 24
  %36 = getelementptr inbounds i8, ptr %4, i64 64
  %37 = getelementptr inbounds i8, ptr %4, i64 40
  %38 = getelementptr inbounds i8, ptr %4, i64 8
  %39 = icmp slt i8 %7, 3
  %40 = getelementptr inbounds i8, ptr %0, i64 24
  %41 = zext i8 %7 to i64
  %42 = icmp eq i8 %7, 2
  %43 = getelementptr inbounds i8, ptr %0, i64 64
  %44 = getelementptr inbounds i8, ptr %0, i64 40
  br label %45

45:
  %46 = phi double [ 0x7FEFFFFFFFFFFFFF, %29 ], [ %51, %50 ]
  %47 = phi i64 [ 0, %29 ], [ %52, %50 ]
  br i1 %32, label %54, label %50

48:
  %49 = phi double [ 0x7FEFFFFFFFFFFFFF, %25 ], [ %51, %50 ]
  ret double %49

50:
  %51 = phi double [ %46, %45 ], [ %136, %135 ]
  %52 = add nsw i64 %47, 1
  %53 = icmp eq i64 %52, %31
  br i1 %53, label %48, label %45

54:
  %55 = phi double [ %136, %135 ], [ %46, %45 ]
  %56 = phi i64 [ %137, %135 ], [ 0, %45 ]
  br i1 %33, label %105, label %57

57:
  %58 = load ptr, ptr %4, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %105, label %60

60:
  %61 = load i8, ptr %34, align 4
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %93, label %63

63:
  %64 = icmp slt i8 %61, 3
  br i1 %64, label %67, label %65

65:
  %66 = zext i8 %61 to i64
  br label %72

67:
  %68 = icmp eq i8 %61, 2
  br i1 %68, label %69, label %87

69:
  %70 = load i64, ptr %36, align 8
  %71 = mul nsw i64 %70, %47
  br label %87

72:
  %73 = phi i64 [ 1, %65 ], [ %85, %72 ]
  %74 = phi i64 [ 0, %65 ], [ %83, %72 ]
  %75 = phi i64 [ %47, %65 ], [ %84, %72 ]
  %76 = getelementptr inbounds %struct.dimension, ptr %35, i64 %73
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load i64, ptr %77, align 8
  %79 = srem i64 %75, %78
  %80 = getelementptr inbounds i8, ptr %76, i64 16
  %81 = load i64, ptr %80, align 8
  %82 = mul nsw i64 %81, %79
  %83 = add nsw i64 %82, %74
  %84 = sdiv i64 %75, %78
  %85 = add nsw i64 %73, 1
  %86 = icmp eq i64 %85, %66
  br i1 %86, label %87, label %72

87:
  %88 = phi i64 [ 0, %67 ], [ %71, %69 ], [ %83, %72 ]
  %89 = load i64, ptr %37, align 8
  %90 = mul nsw i64 %89, %56
  %91 = getelementptr i8, ptr %58, i64 %88
  %92 = getelementptr i8, ptr %91, i64 %90
  br label %93

93:
  %94 = phi ptr [ %92, %87 ], [ %58, %60 ]
  %95 = load i64, ptr %38, align 8
  switch i64 %95, label %99 [    i64 8, label %96    i64 4, label %102  ]

96:
  %97 = load i64, ptr %94, align 8
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %135, label %105

99:
  %100 = load i8, ptr %94, align 1
  %101 = icmp eq i8 %100, 0
  br i1 %101, label %135, label %105

102:
  %103 = load i32, ptr %94, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %135, label %105

105:
  %106 = load ptr, ptr %0, align 8
  br i1 %39, label %107, label %111

107:
  br i1 %42, label %108, label %126

108:
  %109 = load i64, ptr %43, align 8
  %110 = mul nsw i64 %109, %47
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %47, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %40, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %41
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %106, i64 %127
  %129 = load i64, ptr %44, align 8
  %130 = mul nsw i64 %129, %56
  %131 = getelementptr inbounds i8, ptr %128, i64 %130
  %132 = load double, ptr %131, align 8
  %133 = fcmp olt double %132, %55
  %134 = select i1 %133, double %132, double %55
  br label %135

135:
  %136 = phi double [ %134, %126 ], [ %55, %102 ], [ %55, %96 ], [ %55, %99 ]
  %137 = add nsw i64 %56, 1
  %138 = icmp eq i64 %137, %30
  br i1 %138, label %50, label %54
}
define internal double @gradir.body._FortranANorm2_8(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %0, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp sgt i8 %6, 1
  br i1 %7, label %8, label %19

8:
  %9 = zext i8 %6 to i64
  br label %10

10:
  %11 = phi i64 [ 1, %8 ], [ %17, %10 ]
  %12 = phi i64 [ 1, %8 ], [ %16, %10 ]
  %13 = getelementptr inbounds %struct.dimension, ptr %0, i64 %11
  %14 = getelementptr inbounds i8, ptr %13, i64 32
  %15 = load i64, ptr %14, align 8
  %16 = mul nsw i64 %15, %12
  %17 = add nsw i64 %11, 1
  %18 = icmp eq i64 %17, %9
  br i1 %18, label %24, label %10

19:
  %20 = icmp eq i8 %6, 0
  br i1 %20, label %28, label %21

21:
  %22 = getelementptr inbounds i8, ptr %0, i64 32
  %23 = load i64, ptr %22, align 8
  br label %28

24:
  %25 = getelementptr inbounds i8, ptr %0, i64 32
  %26 = load i64, ptr %25, align 8
  %27 = icmp sgt i64 %16, 0
  br i1 %27, label %28, label %119

28:
  %29 = phi i64 [ %23, %21 ], [ %26, %24 ], [ 1, %19 ]
  %30 = phi i64 [ 1, %21 ], [ %16, %24 ], [ 1, %19 ]
  %31 = phi i1 [ false, %21 ], [ false, %24 ], [ true, %19 ]
  %32 = icmp sgt i64 %29, 0
  %33 = icmp slt i8 %6, 3
  %34 = getelementptr inbounds i8, ptr %0, i64 24
  %35 = zext i8 %6 to i64
  %36 = getelementptr inbounds i8, ptr %0, i64 40
  %37 = icmp eq i8 %6, 2
  %38 = getelementptr inbounds i8, ptr %0, i64 64
  br label %39

39:
  %40 = phi double [ 0.000000e+00, %28 ], [ %49, %48 ]
  %41 = phi i64 [ 0, %28 ], [ %50, %48 ]
  br i1 %32, label %42, label %48

42:
  %43 = load ptr, ptr %0, align 8
  br label %52

44:
  %45 = fcmp ogt double %49, 0x30000000000000
  %46 = fcmp olt double %49, 0x7FB0000000000000
  %47 = and i1 %45, %46
  br i1 %47, label %116, label %118

48:
  %49 = phi double [ %40, %39 ], [ %113, %109 ]
  %50 = add nsw i64 %41, 1
  %51 = icmp eq i64 %50, %30
  br i1 %51, label %44, label %39

52:
  %53 = phi double [ %40, %42 ], [ %113, %109 ]
  %54 = phi i64 [ 0, %42 ], [ %114, %109 ]
  br i1 %33, label %55, label %56

55:
  br i1 %37, label %82, label %77

56:
  %57 = phi i64 [ %69, %56 ], [ 1, %52 ]
  %58 = phi i64 [ %67, %56 ], [ 0, %52 ]
  %59 = phi i64 [ %68, %56 ], [ %41, %52 ]
  %60 = getelementptr inbounds %struct.dimension, ptr %34, i64 %57
  %61 = getelementptr inbounds i8, ptr %60, i64 8
  %62 = load i64, ptr %61, align 8
  %63 = srem i64 %59, %62
  %64 = getelementptr inbounds i8, ptr %60, i64 16
  %65 = load i64, ptr %64, align 8
  %66 = mul nsw i64 %65, %63
  %67 = add nsw i64 %66, %58
  %68 = sdiv i64 %59, %62
  %69 = add nsw i64 %57, 1
  %70 = icmp eq i64 %69, %35
  br i1 %70, label %71, label %56

71:
  %72 = getelementptr inbounds i8, ptr %43, i64 %67
  %73 = load i64, ptr %36, align 8
  %74 = mul nsw i64 %73, %54
  %75 = getelementptr inbounds i8, ptr %72, i64 %74
  %76 = load double, ptr %75, align 8
  br label %90

77:
  %78 = load i64, ptr %36, align 8
  %79 = mul nsw i64 %78, %54
  %80 = getelementptr inbounds i8, ptr %43, i64 %79
  %81 = load double, ptr %80, align 8
  br label %109

82:
  %83 = load i64, ptr %38, align 8
  %84 = mul nsw i64 %83, %41
  %85 = getelementptr inbounds i8, ptr %43, i64 %84
  %86 = load i64, ptr %36, align 8
  %87 = mul nsw i64 %86, %54
  %88 = getelementptr inbounds i8, ptr %85, i64 %87
  %89 = load double, ptr %88, align 8
  br label %109

90:
  %91 = phi i64 [ 1, %71 ], [ %103, %90 ]
  %92 = phi i64 [ 0, %71 ], [ %101, %90 ]
  %93 = phi i64 [ %41, %71 ], [ %102, %90 ]
  %94 = getelementptr inbounds %struct.dimension, ptr %34, i64 %91
  %95 = getelementptr inbounds i8, ptr %94, i64 8
  %96 = load i64, ptr %95, align 8
  %97 = srem i64 %93, %96
  %98 = getelementptr inbounds i8, ptr %94, i64 16
  %99 = load i64, ptr %98, align 8
  %100 = mul nsw i64 %99, %97
  %101 = add nsw i64 %100, %92
  %102 = sdiv i64 %93, %96
  %103 = add nsw i64 %91, 1
  %104 = icmp eq i64 %103, %35
  br i1 %104, label %105, label %90

105:
  %106 = getelementptr inbounds i8, ptr %43, i64 %101
  %107 = getelementptr inbounds i8, ptr %106, i64 %74
  %108 = load double, ptr %107, align 8
  br label %109

109:
  %110 = phi double [ %81, %77 ], [ %89, %82 ], [ %108, %105 ]
  %111 = phi double [ %81, %77 ], [ %89, %82 ], [ %76, %105 ]
  %112 = fmul double %111, %110
  %113 = fadd double %53, %112
  %114 = add nsw i64 %54, 1
  %115 = icmp eq i64 %114, %29
  br i1 %115, label %48, label %52

116:
  %117 = call double @llvm.sqrt.f64(double %49)
  br label %268

118:
  br i1 %7, label %119, label %131

119:
  %120 = phi i1 [ %31, %118 ], [ false, %24 ]
  %121 = zext i8 %6 to i64
  br label %122

122:
  %123 = phi i64 [ 1, %119 ], [ %129, %122 ]
  %124 = phi i64 [ 1, %119 ], [ %128, %122 ]
  %125 = getelementptr inbounds %struct.dimension, ptr %0, i64 %123
  %126 = getelementptr inbounds i8, ptr %125, i64 32
  %127 = load i64, ptr %126, align 8
  %128 = mul nsw i64 %127, %124
  %129 = add nsw i64 %123, 1
  %130 = icmp eq i64 %129, %121
  br i1 %130, label %131, label %122

131:
  %132 = phi i1 [ %31, %118 ], [ %120, %122 ]
  %133 = phi i64 [ 1, %118 ], [ %128, %122 ]
  br i1 %132, label %137, label %134

134:
  %135 = getelementptr inbounds i8, ptr %0, i64 32
  %136 = load i64, ptr %135, align 8
  br label %137

137:
  %138 = phi i64 [ %136, %134 ], [ 1, %131 ]
  %139 = icmp sgt i64 %133, 0
  br i1 %139, label %140, label %268

140:
  %141 = icmp sgt i64 %138, 0
  %142 = icmp slt i8 %6, 3
  %143 = getelementptr inbounds i8, ptr %0, i64 24
  %144 = zext i8 %6 to i64
  %145 = icmp eq i8 %6, 2
  %146 = getelementptr inbounds i8, ptr %0, i64 64
  %147 = getelementptr inbounds i8, ptr %0, i64 40
  br label %148

148:
  %149 = phi double [ 0.000000e+00, %140 ], [ %157, %156 ]
  %150 = phi i64 [ 0, %140 ], [ %158, %156 ]
  br i1 %141, label %151, label %156

151:
  %152 = load ptr, ptr %0, align 8
  %153 = load i64, ptr %147, align 8
  br label %160

154:
  %155 = fcmp oeq double %157, 0.000000e+00
  br i1 %155, label %268, label %192

156:
  %157 = phi double [ %149, %148 ], [ %189, %182 ]
  %158 = add nsw i64 %150, 1
  %159 = icmp eq i64 %158, %133
  br i1 %159, label %154, label %148

160:
  %161 = phi double [ %149, %151 ], [ %189, %182 ]
  %162 = phi i64 [ 0, %151 ], [ %190, %182 ]
  br i1 %142, label %163, label %167

163:
  br i1 %145, label %164, label %182

164:
  %165 = load i64, ptr %146, align 8
  %166 = mul nsw i64 %165, %150
  br label %182

167:
  %168 = phi i64 [ %180, %167 ], [ 1, %160 ]
  %169 = phi i64 [ %178, %167 ], [ 0, %160 ]
  %170 = phi i64 [ %179, %167 ], [ %150, %160 ]
  %171 = getelementptr inbounds %struct.dimension, ptr %143, i64 %168
  %172 = getelementptr inbounds i8, ptr %171, i64 8
  %173 = load i64, ptr %172, align 8
  %174 = srem i64 %170, %173
  %175 = getelementptr inbounds i8, ptr %171, i64 16
  %176 = load i64, ptr %175, align 8
  %177 = mul nsw i64 %176, %174
  %178 = add nsw i64 %177, %169
  %179 = sdiv i64 %170, %173
  %180 = add nsw i64 %168, 1
  %181 = icmp eq i64 %180, %144
  br i1 %181, label %182, label %167

182:
  %183 = phi i64 [ 0, %163 ], [ %166, %164 ], [ %178, %167 ]
  %184 = getelementptr inbounds i8, ptr %152, i64 %183
  %185 = mul nsw i64 %153, %162
  %186 = getelementptr inbounds i8, ptr %184, i64 %185
  %187 = load double, ptr %186, align 8
  %188 = call double @llvm.fabs.f64(double %187)
  %189 = call double @llvm.maxnum.f64(double %161, double %188)
  %190 = add nsw i64 %162, 1
  %191 = icmp eq i64 %190, %138
  br i1 %191, label %156, label %160

192:
  br i1 %7, label %193, label %204

193:
  %194 = zext i8 %6 to i64
  br label %195

195:
  %196 = phi i64 [ 1, %193 ], [ %202, %195 ]
  %197 = phi i64 [ 1, %193 ], [ %201, %195 ]
  %198 = getelementptr inbounds %struct.dimension, ptr %0, i64 %196
  %199 = getelementptr inbounds i8, ptr %198, i64 32
  %200 = load i64, ptr %199, align 8
  %201 = mul nsw i64 %200, %197
  %202 = add nsw i64 %196, 1
  %203 = icmp eq i64 %202, %194
  br i1 %203, label %204, label %195

204:
  %205 = phi i64 [ 1, %192 ], [ %201, %195 ]
  br i1 %132, label %209, label %206

206:
  %207 = getelementptr inbounds i8, ptr %0, i64 32
  %208 = load i64, ptr %207, align 8
  br label %209

209:
  %210 = phi i64 [ %208, %206 ], [ 1, %204 ]
  %211 = icmp sgt i64 %205, 0
  br i1 %211, label %212, label %228

212:
  %213 = icmp sgt i64 %210, 0
  %214 = icmp slt i8 %6, 3
  %215 = getelementptr inbounds i8, ptr %0, i64 24
  %216 = zext i8 %6 to i64
  %217 = icmp eq i8 %6, 2
  %218 = getelementptr inbounds i8, ptr %0, i64 64
  %219 = getelementptr inbounds i8, ptr %0, i64 40
  br label %220

220:
  %221 = phi double [ 0.000000e+00, %212 ], [ %232, %231 ]
  %222 = phi i64 [ 0, %212 ], [ %233, %231 ]
  br i1 %213, label %223, label %231

223:
  %224 = load ptr, ptr %0, align 8
  %225 = load i64, ptr %219, align 8
  br label %235

226:
  %227 = call double @llvm.sqrt.f64(double %232)
  br label %228

228:
  %229 = phi double [ 0.000000e+00, %209 ], [ %227, %226 ]
  %230 = fmul double %157, %229
  br label %268

231:
  %232 = phi double [ %221, %220 ], [ %265, %257 ]
  %233 = add nsw i64 %222, 1
  %234 = icmp eq i64 %233, %205
  br i1 %234, label %226, label %220

235:
  %236 = phi i64 [ 0, %223 ], [ %266, %257 ]
  %237 = phi double [ %221, %223 ], [ %265, %257 ]
  br i1 %214, label %238, label %242

238:
  br i1 %217, label %239, label %257

239:
  %240 = load i64, ptr %218, align 8
  %241 = mul nsw i64 %240, %222
  br label %257

242:
  %243 = phi i64 [ %255, %242 ], [ 1, %235 ]
  %244 = phi i64 [ %253, %242 ], [ 0, %235 ]
  %245 = phi i64 [ %254, %242 ], [ %222, %235 ]
  %246 = getelementptr inbounds %struct.dimension, ptr %215, i64 %243
  %247 = getelementptr inbounds i8, ptr %246, i64 8
  %248 = load i64, ptr %247, align 8
  %249 = srem i64 %245, %248
  %250 = getelementptr inbounds i8, ptr %246, i64 16
  %251 = load i64, ptr %250, align 8
  %252 = mul nsw i64 %251, %249
  %253 = add nsw i64 %252, %244
  %254 = sdiv i64 %245, %248
  %255 = add nsw i64 %243, 1
  %256 = icmp eq i64 %255, %216
  br i1 %256, label %257, label %242

257:
  %258 = phi i64 [ 0, %238 ], [ %241, %239 ], [ %253, %242 ]
  %259 = getelementptr inbounds i8, ptr %224, i64 %258
  %260 = mul nsw i64 %225, %236
  %261 = getelementptr inbounds i8, ptr %259, i64 %260
  %262 = load double, ptr %261, align 8
  %263 = fdiv double %262, %157
  %264 = fmul double %263, %263
  %265 = fadd double %237, %264
  %266 = add nsw i64 %236, 1
  %267 = icmp eq i64 %266, %210
  br i1 %267, label %231, label %235

268:
  %269 = phi double [ %117, %116 ], [ %230, %228 ], [ 0.000000e+00, %154 ], [ 0.000000e+00, %137 ]
  ret double %269
}
declare double @llvm.sqrt.f64(double)
declare double @llvm.maxnum.f64(double, double)
define internal double @gradir.body._FortranADotProductReal8(ptr %0, ptr %1, ptr %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %0, i64 32
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp eq i8 %7, 0
  %9 = getelementptr inbounds i8, ptr %0, i64 40
  %10 = getelementptr inbounds i8, ptr %1, i64 40
  br label %11

11:
  %12 = phi double [ 0.000000e+00, %4 ], [ %32, %20 ]
  %13 = phi i64 [ 0, %4 ], [ %33, %20 ]
  br i1 %8, label %17, label %14

14:
  %15 = load i64, ptr %5, align 8
  %16 = icmp slt i64 %13, %15
  br i1 %16, label %20, label %19

17:
  %18 = icmp eq i64 %13, 0
  br i1 %18, label %20, label %19

19:
  ret double %12

20:
  %21 = load ptr, ptr %0, align 8
  %22 = load i64, ptr %9, align 8
  %23 = mul nsw i64 %22, %13
  %24 = getelementptr inbounds i8, ptr %21, i64 %23
  %25 = load double, ptr %24, align 8
  %26 = load ptr, ptr %1, align 8
  %27 = load i64, ptr %10, align 8
  %28 = mul nsw i64 %27, %13
  %29 = getelementptr inbounds i8, ptr %26, i64 %28
  %30 = load double, ptr %29, align 8
  %31 = fmul double %25, %30
  %32 = fadd double %12, %31
  %33 = add nsw i64 %13, 1
  br label %11
}
define internal void @gradir.body._FortranAMatmulReal8Real8(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = alloca %struct.descriptor, align 8
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  %10 = zext i1 %9 to i8
  %11 = getelementptr inbounds i8, ptr %2, i64 20
  %12 = load i8, ptr %11, align 4
  %13 = icmp sgt i8 %12, 1
  %14 = zext i1 %13 to i8
  %15 = add nsw i8 %14, %10
  %16 = icmp eq i8 %8, 1
  %17 = getelementptr inbounds i8, ptr %2, i64 56
  %18 = getelementptr inbounds i8, ptr %1, i64 32
  %19 = select i1 %16, ptr %17, ptr %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %6, i64 32
  store i64 %20, ptr %21, align 8
  %22 = and i1 %9, %13
  br i1 %22, label %27, label %23

23:
  %24 = icmp eq i8 %15, 0
  %25 = shl nsw i64 %20, 3
  %26 = select i1 %24, i64 8, i64 %25
  br label %43

27:
  %28 = load i64, ptr %17, align 8
  %29 = getelementptr inbounds i8, ptr %6, i64 56
  store i64 %28, ptr %29, align 8
  %30 = zext i8 %15 to i64
  br label %31

31:
  %32 = phi i64 [ 1, %27 ], [ %38, %31 ]
  %33 = phi i64 [ 1, %27 ], [ %37, %31 ]
  %34 = getelementptr inbounds %struct.dimension, ptr %6, i64 %32
  %35 = getelementptr inbounds i8, ptr %34, i64 32
  %36 = load i64, ptr %35, align 8
  %37 = mul nsw i64 %36, %33
  %38 = add nsw i64 %32, 1
  %39 = icmp eq i64 %38, %30
  br i1 %39, label %40, label %31

40:
  %41 = shl nsw i64 %20, 3
  %42 = mul nsw i64 %41, %37
  br label %43

43:
  %44 = phi i64 [ %42, %40 ], [ %26, %23 ]
  %45 = call i64 @llvm.umax.i64(i64 %44, i64 1)
  %46 = call ptr @malloc(i64 %45)
  store ptr %46, ptr %0, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 8, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %48, align 8
  %49 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %15, ptr %49, align 4
  %50 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 28, ptr %50, align 1
  %51 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %51, align 2
  %52 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %52, align 1
  %53 = icmp eq i8 %15, 0
  br i1 %53, label %69, label %54

54:
  %55 = zext i8 %15 to i64
  %56 = getelementptr inbounds i8, ptr %0, i64 24
  br label %57

57:
  %58 = phi i64 [ 0, %54 ], [ %67, %57 ]
  %59 = phi i64 [ 8, %54 ], [ %66, %57 ]
  %60 = getelementptr inbounds %struct.dimension, ptr %56, i64 %58
  %61 = getelementptr inbounds %struct.dimension, ptr %6, i64 %58
  %62 = getelementptr inbounds i8, ptr %61, i64 32
  %63 = load i64, ptr %62, align 8
  store i64 1, ptr %60, align 8
  %64 = getelementptr inbounds i8, ptr %60, i64 8
  store i64 %63, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %60, i64 16
  store i64 %59, ptr %65, align 8
  %66 = mul nsw i64 %63, %59
  %67 = add nsw i64 %58, 1
  %68 = icmp eq i64 %67, %55
  br i1 %68, label %69, label %57

69:
  call void @gradir.library.d_product(ptr %0, ptr %1, ptr %2, i32 0)
  ret void
}
define internal void @gradir.body._FortranAMatmulTransposeReal8Real8(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = alloca %struct.descriptor, align 8
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  %10 = zext i1 %9 to i8
  %11 = getelementptr inbounds i8, ptr %2, i64 20
  %12 = load i8, ptr %11, align 4
  %13 = icmp sgt i8 %12, 1
  %14 = zext i1 %13 to i8
  %15 = add nsw i8 %14, %10
  %16 = icmp eq i8 %8, 1
  %17 = getelementptr inbounds i8, ptr %2, i64 56
  %18 = getelementptr inbounds i8, ptr %1, i64 56
  %19 = select i1 %16, ptr %17, ptr %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %6, i64 32
  store i64 %20, ptr %21, align 8
  %22 = and i1 %9, %13
  br i1 %22, label %27, label %23

23:
  %24 = icmp eq i8 %15, 0
  %25 = shl nsw i64 %20, 3
  %26 = select i1 %24, i64 8, i64 %25
  br label %43

27:
  %28 = load i64, ptr %17, align 8
  %29 = getelementptr inbounds i8, ptr %6, i64 56
  store i64 %28, ptr %29, align 8
  %30 = zext i8 %15 to i64
  br label %31

31:
  %32 = phi i64 [ 1, %27 ], [ %38, %31 ]
  %33 = phi i64 [ 1, %27 ], [ %37, %31 ]
  %34 = getelementptr inbounds %struct.dimension, ptr %6, i64 %32
  %35 = getelementptr inbounds i8, ptr %34, i64 32
  %36 = load i64, ptr %35, align 8
  %37 = mul nsw i64 %36, %33
  %38 = add nsw i64 %32, 1
  %39 = icmp eq i64 %38, %30
  br i1 %39, label %40, label %31

40:
  %41 = shl nsw i64 %20, 3
  %42 = mul nsw i64 %41, %37
  br label %43

43:
  %44 = phi i64 [ %42, %40 ], [ %26, %23 ]
  %45 = call i64 @llvm.umax.i64(i64 %44, i64 1)
  %46 = call ptr @malloc(i64 %45)
  store ptr %46, ptr %0, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 8, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %48, align 8
  %49 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %15, ptr %49, align 4
  %50 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 28, ptr %50, align 1
  %51 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %51, align 2
  %52 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %52, align 1
  %53 = icmp eq i8 %15, 0
  br i1 %53, label %69, label %54

54:
  %55 = zext i8 %15 to i64
  %56 = getelementptr inbounds i8, ptr %0, i64 24
  br label %57

57:
  %58 = phi i64 [ 0, %54 ], [ %67, %57 ]
  %59 = phi i64 [ 8, %54 ], [ %66, %57 ]
  %60 = getelementptr inbounds %struct.dimension, ptr %56, i64 %58
  %61 = getelementptr inbounds %struct.dimension, ptr %6, i64 %58
  %62 = getelementptr inbounds i8, ptr %61, i64 32
  %63 = load i64, ptr %62, align 8
  store i64 1, ptr %60, align 8
  %64 = getelementptr inbounds i8, ptr %60, i64 8
  store i64 %63, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %60, i64 16
  store i64 %59, ptr %65, align 8
  %66 = mul nsw i64 %63, %59
  %67 = add nsw i64 %58, 1
  %68 = icmp eq i64 %67, %55
  br i1 %68, label %69, label %57

69:
  call void @gradir.library.d_product(ptr %0, ptr %1, ptr %2, i32 1)
  ret void
}
define internal void @gradir.body._FortranAMatmulDirectReal8Real8(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  call void @gradir.library.d_product(ptr %0, ptr %1, ptr %2, i32 0)
  ret void
}
define internal void @gradir.library.d_product(ptr %0, ptr %1, ptr %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %1, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp ne i8 %6, 1
  br i1 %7, label %8, label %28

8:
  %9 = icmp eq i32 %3, 0
  br i1 %9, label %23, label %10

10:
  %11 = icmp sgt i8 %6, 1
  br i1 %11, label %12, label %28

12:
  %13 = zext i8 %6 to i64
  br label %14

14:
  %15 = phi i64 [ 1, %12 ], [ %21, %14 ]
  %16 = phi i64 [ 1, %12 ], [ %20, %14 ]
  %17 = getelementptr inbounds %struct.dimension, ptr %1, i64 %15
  %18 = getelementptr inbounds i8, ptr %17, i64 32
  %19 = load i64, ptr %18, align 8
  %20 = mul nsw i64 %19, %16
  %21 = add nsw i64 %15, 1
  %22 = icmp eq i64 %21, %13
  br i1 %22, label %28, label %14

23:
  %24 = icmp eq i8 %6, 0
  br i1 %24, label %28, label %25

25:
  %26 = getelementptr inbounds i8, ptr %1, i64 32
  %27 = load i64, ptr %26, align 8
  br label %28

28:
  %29 = phi i64 [ 1, %4 ], [ 1, %23 ], [ 1, %10 ], [ %27, %25 ], [ %20, %14 ]
  %30 = getelementptr inbounds i8, ptr %2, i64 20
  %31 = load i8, ptr %30, align 4
  %32 = icmp eq i8 %31, 0
  br i1 %32, label %48, label %33

33:
  %34 = getelementptr inbounds i8, ptr %2, i64 32
  %35 = load i64, ptr %34, align 8
  %36 = icmp sgt i8 %31, 1
  br i1 %36, label %37, label %48

37:
  %38 = zext i8 %31 to i64
  br label %39

39:
  %40 = phi i64 [ 1, %37 ], [ %46, %39 ]
  %41 = phi i64 [ 1, %37 ], [ %45, %39 ]
  %42 = getelementptr inbounds %struct.dimension, ptr %2, i64 %40
  %43 = getelementptr inbounds i8, ptr %42, i64 32
  %44 = load i64, ptr %43, align 8
  %45 = mul nsw i64 %44, %41
  %46 = add nsw i64 %40, 1
  %47 = icmp eq i64 %46, %38
  br i1 %47, label %48, label %39

48:
  %49 = phi i64 [ %35, %33 ], [ 1, %28 ], [ %35, %39 ]
  %50 = phi i64 [ 1, %33 ], [ 1, %28 ], [ %45, %39 ]
  br i1 %7, label %51, label %61

51:
  %52 = zext i32 %3 to i64
  %53 = getelementptr inbounds %struct.dimension, ptr %1, i64 %52
  %54 = getelementptr inbounds i8, ptr %53, i64 40
  %55 = load i64, ptr %54, align 8
  %56 = xor i32 %3, 1
  %57 = zext i32 %56 to i64
  %58 = getelementptr inbounds %struct.dimension, ptr %1, i64 %57
  %59 = getelementptr inbounds i8, ptr %0, i64 40
  %60 = load i64, ptr %59, align 8
  br label %61

61:
  %62 = phi ptr [ %58, %51 ], [ %1, %48 ]
  %63 = phi i64 [ %55, %51 ], [ 0, %48 ]
  %64 = phi i64 [ %60, %51 ], [ 0, %48 ]
  %65 = getelementptr inbounds i8, ptr %62, i64 40
  %66 = load i64, ptr %65, align 8
  %67 = icmp eq i8 %31, 1
  br i1 %67, label %73, label %68

68:
  %69 = zext i1 %7 to i64
  %70 = getelementptr inbounds %struct.dimension, ptr %0, i64 %69
  %71 = getelementptr inbounds i8, ptr %70, i64 40
  %72 = load i64, ptr %71, align 8
  br label %73

73:
  %74 = phi i64 [ %72, %68 ], [ 0, %61 ]
  %75 = icmp sgt i64 %50, 0
  br i1 %75, label %76, label %86

76:
  %77 = load ptr, ptr %0, align 8
  %78 = icmp sgt i64 %29, 0
  %79 = icmp sgt i64 %49, 0
  %80 = icmp slt i8 %31, 3
  %81 = getelementptr inbounds i8, ptr %2, i64 24
  %82 = zext i8 %31 to i64
  %83 = icmp eq i8 %31, 2
  %84 = getelementptr inbounds i8, ptr %2, i64 64
  %85 = getelementptr inbounds i8, ptr %2, i64 40
  br label %87

86:
  ret void

87:
  %88 = phi i64 [ 0, %76 ], [ %103, %102 ]
  %89 = mul nsw i64 %88, %74
  %90 = getelementptr inbounds i8, ptr %77, i64 %89
  br i1 %78, label %96, label %91

91:
  br i1 %79, label %92, label %102

92:
  %93 = load ptr, ptr %2, align 8
  %94 = load i64, ptr %85, align 8
  %95 = load ptr, ptr %1, align 8
  br label %105

96:
  %97 = phi i64 [ %100, %96 ], [ 0, %87 ]
  %98 = mul nsw i64 %97, %64
  %99 = getelementptr inbounds i8, ptr %90, i64 %98
  store double 0.000000e+00, ptr %99, align 8
  %100 = add nsw i64 %97, 1
  %101 = icmp eq i64 %100, %29
  br i1 %101, label %91, label %96

102:
  %103 = add nsw i64 %88, 1
  %104 = icmp eq i64 %103, %50
  br i1 %104, label %86, label %87

105:
  %106 = phi i64 [ 0, %92 ], [ %135, %134 ]
  br i1 %80, label %107, label %111

107:
  br i1 %83, label %108, label %126

108:
  %109 = load i64, ptr %84, align 8
  %110 = mul nsw i64 %109, %88
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %88, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %81, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %82
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %93, i64 %127
  %129 = mul nsw i64 %94, %106
  %130 = getelementptr inbounds i8, ptr %128, i64 %129
  %131 = load double, ptr %130, align 8
  %132 = mul nsw i64 %106, %66
  %133 = getelementptr inbounds i8, ptr %95, i64 %132
  br i1 %78, label %137, label %134

134:
  %135 = add nsw i64 %106, 1
  %136 = icmp eq i64 %135, %49
  br i1 %136, label %102, label %105

137:
  %138 = phi i64 [ %147, %137 ], [ 0, %126 ]
  %139 = mul nsw i64 %138, %63
  %140 = getelementptr inbounds i8, ptr %133, i64 %139
  %141 = load double, ptr %140, align 8
  %142 = fmul double %131, %141
  %143 = mul nsw i64 %138, %64
  %144 = getelementptr inbounds i8, ptr %90, i64 %143
  %145 = load double, ptr %144, align 8
  %146 = fadd double %145, %142
  store double %146, ptr %144, align 8
  %147 = add nsw i64 %138, 1
  %148 = icmp eq i64 %147, %29
  br i1 %148, label %134, label %137
}
define internal void @gradir.body._FortranAMatmulTransposeDirectReal8Real8(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  call void @gradir.library.d_product(ptr %0, ptr %1, ptr %2, i32 1)
  ret void
}
define internal void @gradir.body._FortranACppSumComplex8(ptr %0, ptr %1, ptr %2, i32 %3, i32 %4, ptr %5) {
6:
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  br i1 %9, label %10, label %21

10:
  %11 = zext i8 %8 to i64
  br label %12

12:
  %13 = phi i64 [ 1, %10 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %10 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %1, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %26, label %12

21:
  %22 = icmp eq i8 %8, 0
  br i1 %22, label %30, label %23

23:
  %24 = getelementptr inbounds i8, ptr %1, i64 32
  %25 = load i64, ptr %24, align 8
  br label %30

26:
  %27 = getelementptr inbounds i8, ptr %1, i64 32
  %28 = load i64, ptr %27, align 8
  %29 = icmp sgt i64 %18, 0
  br i1 %29, label %30, label %50

30:
  %31 = phi i64 [ %25, %23 ], [ %28, %26 ], [ 1, %21 ]
  %32 = phi i64 [ 1, %23 ], [ %18, %26 ], [ 1, %21 ]
  %33 = icmp sgt i64 %31, 0
  %34 = icmp eq ptr %5, null
  %35 = getelementptr inbounds i8, ptr %5, i64 20
  %36 = getelementptr inbounds i8, ptr %5, i64 24
  %37 = getelementptr inbounds i8, ptr %5, i64 64
  %38 = getelementptr inbounds i8, ptr %5, i64 40
  %39 = getelementptr inbounds i8, ptr %5, i64 8
  %40 = icmp slt i8 %8, 3
  %41 = getelementptr inbounds i8, ptr %1, i64 24
  %42 = zext i8 %8 to i64
  %43 = getelementptr inbounds i8, ptr %1, i64 40
  %44 = icmp eq i8 %8, 2
  %45 = getelementptr inbounds i8, ptr %1, i64 64
  br label %46

46:
  %47 = phi double [ 0.000000e+00, %30 ], [ %56, %54 ]
  %48 = phi double [ 0.000000e+00, %30 ], [ %55, %54 ]
  %49 = phi i64 [ 0, %30 ], [ %57, %54 ]
  br i1 %33, label %59, label %54

50:
  %51 = phi double [ 0.000000e+00, %26 ], [ %55, %54 ]
  %52 = phi double [ 0.000000e+00, %26 ], [ %56, %54 ]
  store double %52, ptr %0, align 8
  %53 = getelementptr inbounds i8, ptr %0, i64 8
  store double %51, ptr %53, align 8
  ret void

54:
  %55 = phi double [ %48, %46 ], [ %172, %171 ]
  %56 = phi double [ %47, %46 ], [ %173, %171 ]
  %57 = add nsw i64 %49, 1
  %58 = icmp eq i64 %57, %32
  br i1 %58, label %50, label %46

59:
  %60 = phi i64 [ %174, %171 ], [ 0, %46 ]
  %61 = phi double [ %173, %171 ], [ %47, %46 ]
  %62 = phi double [ %172, %171 ], [ %48, %46 ]
  br i1 %34, label %111, label %63

63:
  %64 = load ptr, ptr %5, align 8
  %65 = icmp eq ptr %64, null
  br i1 %65, label %111, label %66

66:
  %67 = load i8, ptr %35, align 4
  %68 = icmp eq i8 %67, 0
  br i1 %68, label %99, label %69

69:
  %70 = icmp slt i8 %67, 3
  br i1 %70, label %73, label %71

71:
  %72 = zext i8 %67 to i64
  br label %78

73:
  %74 = icmp eq i8 %67, 2
  br i1 %74, label %75, label %93

75:
  %76 = load i64, ptr %37, align 8
  %77 = mul nsw i64 %76, %49
  br label %93

78:
  %79 = phi i64 [ 1, %71 ], [ %91, %78 ]
  %80 = phi i64 [ 0, %71 ], [ %89, %78 ]
  %81 = phi i64 [ %49, %71 ], [ %90, %78 ]
  %82 = getelementptr inbounds %struct.dimension, ptr %36, i64 %79
  %83 = getelementptr inbounds i8, ptr %82, i64 8
  %84 = load i64, ptr %83, align 8
  %85 = srem i64 %81, %84
  %86 = getelementptr inbounds i8, ptr %82, i64 16
  %87 = load i64, ptr %86, align 8
  %88 = mul nsw i64 %87, %85
  %89 = add nsw i64 %88, %80
  %90 = sdiv i64 %81, %84
  %91 = add nsw i64 %79, 1
  %92 = icmp eq i64 %91, %72
  br i1 %92, label %93, label %78

93:
  %94 = phi i64 [ 0, %73 ], [ %77, %75 ], [ %89, %78 ]
  %95 = load i64, ptr %38, align 8
  %96 = mul nsw i64 %95, %60
  %97 = getelementptr i8, ptr %64, i64 %94
  %98 = getelementptr i8, ptr %97, i64 %96
  br label %99

99:
  %100 = phi ptr [ %98, %93 ], [ %64, %66 ]
  %101 = load i64, ptr %39, align 8
  switch i64 %101, label %105 [    i64 8, label %102    i64 4, label %108  ]

102:
  %103 = load i64, ptr %100, align 8
  %104 = icmp eq i64 %103, 0
  br i1 %104, label %171, label %111

105:
  %106 = load i8, ptr %100, align 1
  %107 = icmp eq i8 %106, 0
  br i1 %107, label %171, label %111

108:
  %109 = load i32, ptr %100, align 4
  %110 = icmp eq i32 %109, 0
  br i1 %110, label %171, label %111

111:
  %112 = load ptr, ptr %1, align 8
  br i1 %40, label %113, label %114

113:
  br i1 %44, label %135, label %154

114:
  %115 = phi i64 [ %127, %114 ], [ 1, %111 ]
  %116 = phi i64 [ %125, %114 ], [ 0, %111 ]
  %117 = phi i64 [ %126, %114 ], [ %49, %111 ]
  %118 = getelementptr inbounds %struct.dimension, ptr %41, i64 %115
  %119 = getelementptr inbounds i8, ptr %118, i64 8
  %120 = load i64, ptr %119, align 8
  %121 = srem i64 %117, %120
  %122 = getelementptr inbounds i8, ptr %118, i64 16
  %123 = load i64, ptr %122, align 8
  %124 = mul nsw i64 %123, %121
  %125 = add nsw i64 %124, %116
  %126 = sdiv i64 %117, %120
  %127 = add nsw i64 %115, 1
  %128 = icmp eq i64 %127, %42
  br i1 %128, label %129, label %114

129:
  %130 = getelementptr inbounds i8, ptr %112, i64 %125
  %131 = load i64, ptr %43, align 8
  %132 = mul nsw i64 %131, %60
  %133 = getelementptr inbounds i8, ptr %130, i64 %132
  %134 = load double, ptr %133, align 8
  br label %139

135:
  %136 = load i64, ptr %45, align 8
  %137 = mul nsw i64 %136, %49
  %138 = getelementptr inbounds i8, ptr %112, i64 %137
  br label %154

139:
  %140 = phi i64 [ 1, %129 ], [ %152, %139 ]
  %141 = phi i64 [ 0, %129 ], [ %150, %139 ]
  %142 = phi i64 [ %49, %129 ], [ %151, %139 ]
  %143 = getelementptr inbounds %struct.dimension, ptr %41, i64 %140
  %144 = getelementptr inbounds i8, ptr %143, i64 8
  %145 = load i64, ptr %144, align 8
  %146 = srem i64 %142, %145
  %147 = getelementptr inbounds i8, ptr %143, i64 16
  %148 = load i64, ptr %147, align 8
  %149 = mul nsw i64 %148, %146
  %150 = add nsw i64 %149, %141
  %151 = sdiv i64 %142, %145
  %152 = add nsw i64 %140, 1
  %153 = icmp eq i64 %152, %42
  br i1 %153, label %161, label %139

154:
  %155 = phi ptr [ %138, %135 ], [ %112, %113 ]
  %156 = phi i64 [ %137, %135 ], [ 0, %113 ]
  %157 = load i64, ptr %43, align 8
  %158 = mul nsw i64 %157, %60
  %159 = getelementptr inbounds i8, ptr %155, i64 %158
  %160 = load double, ptr %159, align 8
  br label %161

161:
  %162 = phi double [ %160, %154 ], [ %134, %139 ]
  %163 = phi i64 [ %158, %154 ], [ %132, %139 ]
  %164 = phi i64 [ %156, %154 ], [ %150, %139 ]
  %165 = fadd double %61, %162
  %166 = getelementptr inbounds i8, ptr %112, i64 %164
  %167 = getelementptr inbounds i8, ptr %166, i64 %163
  %168 = getelementptr inbounds i8, ptr %167, i64 8
  %169 = load double, ptr %168, align 8
  %170 = fadd double %62, %169
  br label %171

171:
  %172 = phi double [ %170, %161 ], [ %62, %108 ], [ %62, %102 ], [ %62, %105 ]
  %173 = phi double [ %165, %161 ], [ %61, %108 ], [ %61, %102 ], [ %61, %105 ]
  %174 = add nsw i64 %60, 1
  %175 = icmp eq i64 %174, %31
  br i1 %175, label %54, label %59
}
define internal void @gradir.body._FortranACppProductComplex8(ptr %0, ptr %1, ptr %2, i32 %3, i32 %4, ptr %5) {
6:
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  br i1 %9, label %10, label %21

10:
  %11 = zext i8 %8 to i64
  br label %12

12:
  %13 = phi i64 [ 1, %10 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %10 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %1, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %26, label %12

21:
  %22 = icmp eq i8 %8, 0
  br i1 %22, label %30, label %23

23:
  %24 = getelementptr inbounds i8, ptr %1, i64 32
  %25 = load i64, ptr %24, align 8
  br label %30

26:
  %27 = getelementptr inbounds i8, ptr %1, i64 32
  %28 = load i64, ptr %27, align 8
  %29 = icmp sgt i64 %18, 0
  br i1 %29, label %30, label %50

30:
  %31 = phi i64 [ %25, %23 ], [ %28, %26 ], [ 1, %21 ]
  %32 = phi i64 [ 1, %23 ], [ %18, %26 ], [ 1, %21 ]
  %33 = icmp sgt i64 %31, 0
  %34 = icmp eq ptr %5, null
  %35 = getelementptr inbounds i8, ptr %5, i64 20
  %36 = getelementptr inbounds i8, ptr %5, i64 24
  %37 = getelementptr inbounds i8, ptr %5, i64 64
  %38 = getelementptr inbounds i8, ptr %5, i64 40
  %39 = getelementptr inbounds i8, ptr %5, i64 8
  %40 = icmp slt i8 %8, 3
  %41 = getelementptr inbounds i8, ptr %1, i64 24
  %42 = zext i8 %8 to i64
  %43 = getelementptr inbounds i8, ptr %1, i64 40
  %44 = icmp eq i8 %8, 2
  %45 = getelementptr inbounds i8, ptr %1, i64 64
  br label %46

46:
  %47 = phi double [ 1.000000e+00, %30 ], [ %56, %54 ]
  %48 = phi double [ 0.000000e+00, %30 ], [ %55, %54 ]
  %49 = phi i64 [ 0, %30 ], [ %57, %54 ]
  br i1 %33, label %59, label %54

50:
  %51 = phi double [ 0.000000e+00, %26 ], [ %55, %54 ]
  %52 = phi double [ 1.000000e+00, %26 ], [ %56, %54 ]
  store double %52, ptr %0, align 8
  %53 = getelementptr inbounds i8, ptr %0, i64 8
  store double %51, ptr %53, align 8
  ret void

54:
  %55 = phi double [ %48, %46 ], [ %176, %175 ]
  %56 = phi double [ %47, %46 ], [ %177, %175 ]
  %57 = add nsw i64 %49, 1
  %58 = icmp eq i64 %57, %32
  br i1 %58, label %50, label %46

59:
  %60 = phi double [ %177, %175 ], [ %47, %46 ]
  %61 = phi double [ %176, %175 ], [ %48, %46 ]
  %62 = phi i64 [ %178, %175 ], [ 0, %46 ]
  br i1 %34, label %111, label %63

63:
  %64 = load ptr, ptr %5, align 8
  %65 = icmp eq ptr %64, null
  br i1 %65, label %111, label %66

66:
  %67 = load i8, ptr %35, align 4
  %68 = icmp eq i8 %67, 0
  br i1 %68, label %99, label %69

69:
  %70 = icmp slt i8 %67, 3
  br i1 %70, label %73, label %71

71:
  %72 = zext i8 %67 to i64
  br label %78

73:
  %74 = icmp eq i8 %67, 2
  br i1 %74, label %75, label %93

75:
  %76 = load i64, ptr %37, align 8
  %77 = mul nsw i64 %76, %49
  br label %93

78:
  %79 = phi i64 [ 1, %71 ], [ %91, %78 ]
  %80 = phi i64 [ 0, %71 ], [ %89, %78 ]
  %81 = phi i64 [ %49, %71 ], [ %90, %78 ]
  %82 = getelementptr inbounds %struct.dimension, ptr %36, i64 %79
  %83 = getelementptr inbounds i8, ptr %82, i64 8
  %84 = load i64, ptr %83, align 8
  %85 = srem i64 %81, %84
  %86 = getelementptr inbounds i8, ptr %82, i64 16
  %87 = load i64, ptr %86, align 8
  %88 = mul nsw i64 %87, %85
  %89 = add nsw i64 %88, %80
  %90 = sdiv i64 %81, %84
  %91 = add nsw i64 %79, 1
  %92 = icmp eq i64 %91, %72
  br i1 %92, label %93, label %78

93:
  %94 = phi i64 [ 0, %73 ], [ %77, %75 ], [ %89, %78 ]
  %95 = load i64, ptr %38, align 8
  %96 = mul nsw i64 %95, %62
  %97 = getelementptr i8, ptr %64, i64 %94
  %98 = getelementptr i8, ptr %97, i64 %96
  br label %99

99:
  %100 = phi ptr [ %98, %93 ], [ %64, %66 ]
  %101 = load i64, ptr %39, align 8
  switch i64 %101, label %105 [    i64 8, label %102    i64 4, label %108  ]

102:
  %103 = load i64, ptr %100, align 8
  %104 = icmp eq i64 %103, 0
  br i1 %104, label %175, label %111

105:
  %106 = load i8, ptr %100, align 1
  %107 = icmp eq i8 %106, 0
  br i1 %107, label %175, label %111

108:
  %109 = load i32, ptr %100, align 4
  %110 = icmp eq i32 %109, 0
  br i1 %110, label %175, label %111

111:
  %112 = load ptr, ptr %1, align 8
  br i1 %40, label %113, label %114

113:
  br i1 %44, label %135, label %154

114:
  %115 = phi i64 [ %127, %114 ], [ 1, %111 ]
  %116 = phi i64 [ %125, %114 ], [ 0, %111 ]
  %117 = phi i64 [ %126, %114 ], [ %49, %111 ]
  %118 = getelementptr inbounds %struct.dimension, ptr %41, i64 %115
  %119 = getelementptr inbounds i8, ptr %118, i64 8
  %120 = load i64, ptr %119, align 8
  %121 = srem i64 %117, %120
  %122 = getelementptr inbounds i8, ptr %118, i64 16
  %123 = load i64, ptr %122, align 8
  %124 = mul nsw i64 %123, %121
  %125 = add nsw i64 %124, %116
  %126 = sdiv i64 %117, %120
  %127 = add nsw i64 %115, 1
  %128 = icmp eq i64 %127, %42
  br i1 %128, label %129, label %114

129:
  %130 = getelementptr inbounds i8, ptr %112, i64 %125
  %131 = load i64, ptr %43, align 8
  %132 = mul nsw i64 %131, %62
  %133 = getelementptr inbounds i8, ptr %130, i64 %132
  %134 = load double, ptr %133, align 8
  br label %139

135:
  %136 = load i64, ptr %45, align 8
  %137 = mul nsw i64 %136, %49
  %138 = getelementptr inbounds i8, ptr %112, i64 %137
  br label %154

139:
  %140 = phi i64 [ 1, %129 ], [ %152, %139 ]
  %141 = phi i64 [ 0, %129 ], [ %150, %139 ]
  %142 = phi i64 [ %49, %129 ], [ %151, %139 ]
  %143 = getelementptr inbounds %struct.dimension, ptr %41, i64 %140
  %144 = getelementptr inbounds i8, ptr %143, i64 8
  %145 = load i64, ptr %144, align 8
  %146 = srem i64 %142, %145
  %147 = getelementptr inbounds i8, ptr %143, i64 16
  %148 = load i64, ptr %147, align 8
  %149 = mul nsw i64 %148, %146
  %150 = add nsw i64 %149, %141
  %151 = sdiv i64 %142, %145
  %152 = add nsw i64 %140, 1
  %153 = icmp eq i64 %152, %42
  br i1 %153, label %161, label %139

154:
  %155 = phi ptr [ %138, %135 ], [ %112, %113 ]
  %156 = phi i64 [ %137, %135 ], [ 0, %113 ]
  %157 = load i64, ptr %43, align 8
  %158 = mul nsw i64 %157, %62
  %159 = getelementptr inbounds i8, ptr %155, i64 %158
  %160 = load double, ptr %159, align 8
  br label %161

161:
  %162 = phi double [ %160, %154 ], [ %134, %139 ]
  %163 = phi i64 [ %158, %154 ], [ %132, %139 ]
  %164 = phi i64 [ %156, %154 ], [ %150, %139 ]
  %165 = getelementptr inbounds i8, ptr %112, i64 %164
  %166 = getelementptr inbounds i8, ptr %165, i64 %163
  %167 = getelementptr inbounds i8, ptr %166, i64 8
  %168 = load double, ptr %167, align 8
  %169 = fmul double %60, %162
  %170 = fmul double %61, %168
  %171 = fsub double %169, %170
  %172 = fmul double %60, %168
  %173 = fmul double %61, %162
  %174 = fadd double %173, %172
  br label %175

175:
  %176 = phi double [ %174, %161 ], [ %61, %108 ], [ %61, %102 ], [ %61, %105 ]
  %177 = phi double [ %171, %161 ], [ %60, %108 ], [ %60, %102 ], [ %60, %105 ]
  %178 = add nsw i64 %62, 1
  %179 = icmp eq i64 %178, %31
  br i1 %179, label %54, label %59
}
define internal void @gradir.body._FortranACppDotProductComplex8(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = getelementptr inbounds i8, ptr %1, i64 32
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp eq i8 %8, 0
  %10 = getelementptr inbounds i8, ptr %1, i64 40
  %11 = getelementptr inbounds i8, ptr %2, i64 40
  br label %12

12:
  %13 = phi i64 [ 0, %5 ], [ %46, %23 ]
  %14 = phi double [ 0.000000e+00, %5 ], [ %45, %23 ]
  %15 = phi double [ 0.000000e+00, %5 ], [ %41, %23 ]
  br i1 %9, label %19, label %16

16:
  %17 = load i64, ptr %6, align 8
  %18 = icmp slt i64 %13, %17
  br i1 %18, label %23, label %21

19:
  %20 = icmp eq i64 %13, 0
  br i1 %20, label %23, label %21

21:
  store double %15, ptr %0, align 8
  %22 = getelementptr inbounds i8, ptr %0, i64 8
  store double %14, ptr %22, align 8
  ret void

23:
  %24 = load ptr, ptr %1, align 8
  %25 = load i64, ptr %10, align 8
  %26 = mul nsw i64 %25, %13
  %27 = getelementptr inbounds i8, ptr %24, i64 %26
  %28 = load ptr, ptr %2, align 8
  %29 = load i64, ptr %11, align 8
  %30 = mul nsw i64 %29, %13
  %31 = getelementptr inbounds i8, ptr %28, i64 %30
  %32 = load double, ptr %27, align 8
  %33 = load double, ptr %31, align 8
  %34 = fmul double %32, %33
  %35 = getelementptr inbounds i8, ptr %27, i64 8
  %36 = load double, ptr %35, align 8
  %37 = getelementptr inbounds i8, ptr %31, i64 8
  %38 = load double, ptr %37, align 8
  %39 = fmul double %36, %38
  %40 = fadd double %34, %39
  %41 = fadd double %15, %40
  %42 = fmul double %32, %38
  %43 = fmul double %33, %36
  %44 = fsub double %42, %43
  %45 = fadd double %14, %44
  %46 = add nsw i64 %13, 1
  br label %12
}
define internal void @gradir.body._FortranAMatmulComplex8Complex8(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = alloca %struct.descriptor, align 8
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  %10 = zext i1 %9 to i8
  %11 = getelementptr inbounds i8, ptr %2, i64 20
  %12 = load i8, ptr %11, align 4
  %13 = icmp sgt i8 %12, 1
  %14 = zext i1 %13 to i8
  %15 = add nsw i8 %14, %10
  %16 = icmp eq i8 %8, 1
  %17 = getelementptr inbounds i8, ptr %2, i64 56
  %18 = getelementptr inbounds i8, ptr %1, i64 32
  %19 = select i1 %16, ptr %17, ptr %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %6, i64 32
  store i64 %20, ptr %21, align 8
  %22 = and i1 %9, %13
  br i1 %22, label %27, label %23

23:
  %24 = icmp eq i8 %15, 0
  %25 = shl nsw i64 %20, 4
  %26 = select i1 %24, i64 16, i64 %25
  br label %43

27:
  %28 = load i64, ptr %17, align 8
  %29 = getelementptr inbounds i8, ptr %6, i64 56
  store i64 %28, ptr %29, align 8
  %30 = zext i8 %15 to i64
  br label %31

31:
  %32 = phi i64 [ 1, %27 ], [ %38, %31 ]
  %33 = phi i64 [ 1, %27 ], [ %37, %31 ]
  %34 = getelementptr inbounds %struct.dimension, ptr %6, i64 %32
  %35 = getelementptr inbounds i8, ptr %34, i64 32
  %36 = load i64, ptr %35, align 8
  %37 = mul nsw i64 %36, %33
  %38 = add nsw i64 %32, 1
  %39 = icmp eq i64 %38, %30
  br i1 %39, label %40, label %31

40:
  %41 = shl nsw i64 %20, 4
  %42 = mul nsw i64 %41, %37
  br label %43

43:
  %44 = phi i64 [ %42, %40 ], [ %26, %23 ]
  %45 = call i64 @llvm.umax.i64(i64 %44, i64 1)
  %46 = call ptr @malloc(i64 %45)
  store ptr %46, ptr %0, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 16, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %48, align 8
  %49 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %15, ptr %49, align 4
  %50 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 35, ptr %50, align 1
  %51 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %51, align 2
  %52 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %52, align 1
  %53 = icmp eq i8 %15, 0
  br i1 %53, label %69, label %54

54:
  %55 = zext i8 %15 to i64
  %56 = getelementptr inbounds i8, ptr %0, i64 24
  br label %57

57:
  %58 = phi i64 [ 0, %54 ], [ %67, %57 ]
  %59 = phi i64 [ 16, %54 ], [ %66, %57 ]
  %60 = getelementptr inbounds %struct.dimension, ptr %56, i64 %58
  %61 = getelementptr inbounds %struct.dimension, ptr %6, i64 %58
  %62 = getelementptr inbounds i8, ptr %61, i64 32
  %63 = load i64, ptr %62, align 8
  store i64 1, ptr %60, align 8
  %64 = getelementptr inbounds i8, ptr %60, i64 8
  store i64 %63, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %60, i64 16
  store i64 %59, ptr %65, align 8
  %66 = mul nsw i64 %63, %59
  %67 = add nsw i64 %58, 1
  %68 = icmp eq i64 %67, %55
  br i1 %68, label %69, label %57

69:
  call void @gradir.library.d_complex_product(ptr %0, ptr %1, ptr %2)
  ret void
}
define internal void @gradir.library.d_complex_product(ptr %0, ptr %1, ptr %2) {
3:
  %4 = getelementptr inbounds i8, ptr %1, i64 20
  %5 = load i8, ptr %4, align 4
  %6 = icmp eq i8 %5, 1
  %7 = icmp ult i8 %5, 2
  br i1 %7, label %11, label %8

8:
  %9 = getelementptr inbounds i8, ptr %1, i64 32
  %10 = load i64, ptr %9, align 8
  br label %11

11:
  %12 = phi i64 [ 1, %3 ], [ %10, %8 ]
  %13 = getelementptr inbounds i8, ptr %2, i64 20
  %14 = load i8, ptr %13, align 4
  %15 = icmp eq i8 %14, 0
  br i1 %15, label %31, label %16

16:
  %17 = getelementptr inbounds i8, ptr %2, i64 32
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i8 %14, 1
  br i1 %19, label %20, label %31

20:
  %21 = zext i8 %14 to i64
  br label %22

22:
  %23 = phi i64 [ 1, %20 ], [ %29, %22 ]
  %24 = phi i64 [ 1, %20 ], [ %28, %22 ]
  %25 = getelementptr inbounds %struct.dimension, ptr %2, i64 %23
  %26 = getelementptr inbounds i8, ptr %25, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = mul nsw i64 %27, %24
  %29 = add nsw i64 %23, 1
  %30 = icmp eq i64 %29, %21
  br i1 %30, label %31, label %22

31:
  %32 = phi i64 [ %18, %16 ], [ 1, %11 ], [ %18, %22 ]
  %33 = phi i64 [ 1, %16 ], [ 1, %11 ], [ %28, %22 ]
  %34 = getelementptr inbounds i8, ptr %1, i64 40
  br i1 %6, label %40, label %35

35:
  %36 = load i64, ptr %34, align 8
  %37 = getelementptr inbounds i8, ptr %1, i64 64
  %38 = getelementptr inbounds i8, ptr %0, i64 40
  %39 = load i64, ptr %38, align 8
  br label %40

40:
  %41 = phi ptr [ %37, %35 ], [ %34, %31 ]
  %42 = phi i64 [ 1, %35 ], [ 0, %31 ]
  %43 = phi i64 [ %36, %35 ], [ 0, %31 ]
  %44 = phi i64 [ %39, %35 ], [ 0, %31 ]
  %45 = load i64, ptr %41, align 8
  %46 = icmp eq i8 %14, 1
  br i1 %46, label %51, label %47

47:
  %48 = getelementptr inbounds %struct.dimension, ptr %0, i64 %42
  %49 = getelementptr inbounds i8, ptr %48, i64 40
  %50 = load i64, ptr %49, align 8
  br label %51

51:
  %52 = phi i64 [ %50, %47 ], [ 0, %40 ]
  %53 = icmp sgt i64 %33, 0
  br i1 %53, label %54, label %69

54:
  %55 = icmp sgt i64 %12, 0
  %56 = icmp sgt i64 %32, 0
  %57 = icmp slt i8 %14, 3
  %58 = getelementptr inbounds i8, ptr %2, i64 24
  %59 = zext i8 %14 to i64
  %60 = icmp eq i8 %14, 2
  %61 = getelementptr inbounds i8, ptr %2, i64 64
  %62 = getelementptr inbounds i8, ptr %2, i64 40
  br label %63

63:
  %64 = phi i64 [ 0, %54 ], [ %79, %78 ]
  br i1 %55, label %65, label %78

65:
  %66 = load ptr, ptr %0, align 8
  %67 = mul nsw i64 %64, %52
  %68 = getelementptr inbounds i8, ptr %66, i64 %67
  br label %70

69:
  ret void

70:
  %71 = phi i64 [ 0, %65 ], [ %87, %81 ]
  br i1 %56, label %72, label %81

72:
  %73 = load ptr, ptr %1, align 8
  %74 = mul nsw i64 %71, %43
  %75 = getelementptr i8, ptr %73, i64 %74
  %76 = load ptr, ptr %2, align 8
  %77 = load i64, ptr %62, align 8
  br label %89

78:
  %79 = add nsw i64 %64, 1
  %80 = icmp eq i64 %79, %33
  br i1 %80, label %69, label %63

81:
  %82 = phi double [ 0.000000e+00, %70 ], [ %128, %114 ]
  %83 = phi double [ 0.000000e+00, %70 ], [ %132, %114 ]
  %84 = mul nsw i64 %71, %44
  %85 = getelementptr inbounds i8, ptr %68, i64 %84
  store double %82, ptr %85, align 8
  %86 = getelementptr inbounds i8, ptr %85, i64 8
  store double %83, ptr %86, align 8
  %87 = add nsw i64 %71, 1
  %88 = icmp eq i64 %87, %12
  br i1 %88, label %78, label %70

89:
  %90 = phi i64 [ 0, %72 ], [ %133, %114 ]
  %91 = phi double [ 0.000000e+00, %72 ], [ %132, %114 ]
  %92 = phi double [ 0.000000e+00, %72 ], [ %128, %114 ]
  %93 = mul nsw i64 %90, %45
  %94 = getelementptr i8, ptr %75, i64 %93
  br i1 %57, label %95, label %99

95:
  br i1 %60, label %96, label %114

96:
  %97 = load i64, ptr %61, align 8
  %98 = mul nsw i64 %97, %64
  br label %114

99:
  %100 = phi i64 [ %112, %99 ], [ 1, %89 ]
  %101 = phi i64 [ %110, %99 ], [ 0, %89 ]
  %102 = phi i64 [ %111, %99 ], [ %64, %89 ]
  %103 = getelementptr inbounds %struct.dimension, ptr %58, i64 %100
  %104 = getelementptr inbounds i8, ptr %103, i64 8
  %105 = load i64, ptr %104, align 8
  %106 = srem i64 %102, %105
  %107 = getelementptr inbounds i8, ptr %103, i64 16
  %108 = load i64, ptr %107, align 8
  %109 = mul nsw i64 %108, %106
  %110 = add nsw i64 %109, %101
  %111 = sdiv i64 %102, %105
  %112 = add nsw i64 %100, 1
  %113 = icmp eq i64 %112, %59
  br i1 %113, label %114, label %99

114:
  %115 = phi i64 [ 0, %95 ], [ %98, %96 ], [ %110, %99 ]
  %116 = getelementptr inbounds i8, ptr %76, i64 %115
  %117 = mul nsw i64 %77, %90
  %118 = getelementptr inbounds i8, ptr %116, i64 %117
  %119 = load double, ptr %94, align 8
  %120 = load double, ptr %118, align 8
  %121 = fmul double %119, %120
  %122 = getelementptr inbounds i8, ptr %94, i64 8
  %123 = load double, ptr %122, align 8
  %124 = getelementptr inbounds i8, ptr %118, i64 8
  %125 = load double, ptr %124, align 8
  %126 = fmul double %123, %125
  %127 = fsub double %121, %126
  %128 = fadd double %92, %127
  %129 = fmul double %119, %125
  %130 = fmul double %120, %123
  %131 = fadd double %130, %129
  %132 = fadd double %91, %131
  %133 = add nsw i64 %90, 1
  %134 = icmp eq i64 %133, %32
  br i1 %134, label %81, label %89
}
define internal void @gradir.body._FortranAMatmulDirectComplex8Complex8(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  call void @gradir.library.d_complex_product(ptr %0, ptr %1, ptr %2)
  ret void
}
define internal void @gradir.body.numba_cpow(ptr %0, ptr %1, ptr %2) {
3:
  %4 = load double, ptr %0, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 8
  %6 = load double, ptr %5, align 8
  %7 = load double, ptr %1, align 8
  %8 = getelementptr inbounds i8, ptr %1, i64 8
  %9 = load double, ptr %8, align 8
  %10 = fcmp oeq double %7, 0.000000e+00
  %11 = fcmp oeq double %9, 0.000000e+00
  %12 = select i1 %10, i1 %11, i1 false
  br i1 %12, label %37, label %13

13:
  %14 = fcmp oeq double %4, 0.000000e+00
  %15 = fcmp oeq double %6, 0.000000e+00
  %16 = select i1 %14, i1 %15, i1 false
  br i1 %16, label %37, label %17

17:
  %18 = call double @hypot(double %4, double %6)
  %19 = call double @llvm.log.f64(double %18)
  %20 = call double @llvm.atan2.f64(double %6, double %4)
  %21 = fmul double %7, %19
  %22 = fmul double %20, %9
  %23 = fsub double %21, %22
  %24 = fmul double %7, %20
  %25 = fmul double %9, %19
  %26 = fadd double %24, %25
  %27 = call double @llvm.exp.f64(double %23)
  %28 = fcmp oeq double %26, 0.000000e+00
  br i1 %28, label %33, label %29

29:
  %30 = call double @llvm.cos.f64(double %26)
  %31 = fmul double %27, %30
  %32 = call double @llvm.sin.f64(double %26)
  br label %33

33:
  %34 = phi double [ %31, %29 ], [ %27, %17 ]
  %35 = phi double [ %32, %29 ], [ %26, %17 ]
  %36 = fmul double %27, %35
  br label %37

37:
  %38 = phi double [ %34, %33 ], [ 1.000000e+00, %3 ], [ 0.000000e+00, %13 ]
  %39 = phi double [ %36, %33 ], [ 0.000000e+00, %3 ], [ 0.000000e+00, %13 ]
  store double %38, ptr %2, align 8
  %40 = getelementptr inbounds i8, ptr %2, i64 8
  store double %39, ptr %40, align 8
  ret void
}
define internal float @gradir.body.modff(float %0, ptr %1) {
2:
  %3 = call float @llvm.trunc.f32(float %0)
  store float %3, ptr %1, align 4
  %4 = call float @llvm.fabs.f32(float %0)
  %5 = fcmp oeq float %4, 0x7FF0000000000000
  %6 = fsub float %0, %3
  %7 = select i1 %5, float 0.000000e+00, float %6
  %8 = call float @llvm.copysign.f32(float %7, float %0)
  ret float %8
}
declare float @llvm.trunc.f32(float)
declare float @llvm.copysign.f32(float, float)
define internal float @gradir.body.frexpf(float %0, ptr %1) {
2:
  %3 = call { float, i32 } @llvm.frexp.f32.i32(float %0)
  %4 = extractvalue { float, i32 } %3, 1
  store i32 %4, ptr %1, align 4
  %5 = extractvalue { float, i32 } %3, 0
  ret float %5
}
declare { float, i32 } @llvm.frexp.f32.i32(float)
define internal void @gradir.body.sincosf(float %0, ptr %1, ptr %2) {
3:
  %4 = call float @llvm.sin.f32(float %0)
  store float %4, ptr %1, align 4
  %5 = call float @llvm.cos.f32(float %0)
  store float %5, ptr %2, align 4
  ret void
}
declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)
define internal float @gradir.body.lgammaf_r(float %0, ptr %1) {
2:
  %3 = fcmp olt float %0, 0.000000e+00
  br i1 %3, label %4, label %8

4:
  %5 = call float @llvm.floor.f32(float %0)
  %6 = frem float %5, 2.000000e+00
  %7 = fcmp une float %6, 0.000000e+00
  br i1 %7, label %14, label %8

8:
  %9 = fcmp oeq float %0, 0.000000e+00
  %10 = bitcast float %0 to i32
  %11 = icmp slt i32 %10, 0
  %12 = and i1 %9, %11
  %13 = select i1 %12, i32 -1, i32 1
  br label %14

14:
  %15 = phi i32 [ %13, %8 ], [ -1, %4 ]
  store i32 %15, ptr %1, align 4
  %16 = call float @lgammaf(float %0)
  ret float %16
}
declare float @llvm.floor.f32(float)
declare float @lgammaf(float)
define internal float @gradir.body.remquof(float %0, float %1, ptr %2) {
3:
  %4 = call float @remainderf(float %0, float %1)
  %5 = fmul float %1, 8.000000e+00
  %6 = frem float %0, %5
  %7 = fsub float %6, %4
  %8 = fdiv float %7, %1
  %9 = call float @llvm.rint.f32(float %8)
  %10 = fptosi float %9 to i32
  %11 = call i32 @llvm.abs.i32(i32 %10, i1 true)
  %12 = bitcast float %0 to i32
  %13 = bitcast float %1 to i32
  %14 = xor i32 %13, %12
  %15 = sub nsw i32 0, %11
  %16 = icmp slt i32 %14, 0
  %17 = select i1 %16, i32 %15, i32 %11
  store i32 %17, ptr %2, align 4
  ret float %4
}
declare float @remainderf(float, float)
declare float @llvm.rint.f32(float)
define internal <2 x float> @gradir.body.__mulsc3(float %0, float %1, float %2, float %3) {
4:
  %5 = fmul float %0, %2
  %6 = fmul float %1, %3
  %7 = fsub float %5, %6
  %8 = insertelement <2 x float> poison, float %7, i64 0
  %9 = fmul float %0, %3
  %10 = fmul float %1, %2
  %11 = fadd float %10, %9
  %12 = insertelement <2 x float> %8, float %11, i64 1
  %13 = fcmp uno float %7, 0.000000e+00
  %14 = fcmp uno float %11, 0.000000e+00
  %15 = and i1 %13, %14
  br i1 %15, label %16, label %99

16:
  %17 = call float @llvm.fabs.f32(float %0)
  %18 = fcmp oeq float %17, 0x7FF0000000000000
  %19 = call float @llvm.fabs.f32(float %1)
  %20 = fcmp oeq float %19, 0x7FF0000000000000
  %21 = or i1 %18, %20
  br i1 %21, label %22, label %33

22:
  %23 = uitofp i1 %18 to float
  %24 = call float @llvm.copysign.f32(float %23, float %0)
  %25 = uitofp i1 %20 to float
  %26 = call float @llvm.copysign.f32(float %25, float %1)
  %27 = fcmp uno float %2, 0.000000e+00
  %28 = call float @llvm.copysign.f32(float 0.000000e+00, float %2)
  %29 = select i1 %27, float %28, float %2
  %30 = fcmp uno float %3, 0.000000e+00
  %31 = call float @llvm.copysign.f32(float 0.000000e+00, float %3)
  %32 = select i1 %30, float %31, float %3
  br label %33

33:
  %34 = phi float [ %29, %22 ], [ %2, %16 ]
  %35 = phi float [ %32, %22 ], [ %3, %16 ]
  %36 = phi float [ %26, %22 ], [ %1, %16 ]
  %37 = phi float [ %24, %22 ], [ %0, %16 ]
  %38 = call float @llvm.fabs.f32(float %34)
  %39 = fcmp oeq float %38, 0x7FF0000000000000
  %40 = call float @llvm.fabs.f32(float %35)
  %41 = fcmp oeq float %40, 0x7FF0000000000000
  %42 = or i1 %39, %41
  br i1 %42, label %43, label %54

43:
  %44 = uitofp i1 %39 to float
  %45 = call float @llvm.copysign.f32(float %44, float %34)
  %46 = uitofp i1 %41 to float
  %47 = call float @llvm.copysign.f32(float %46, float %35)
  %48 = fcmp uno float %37, 0.000000e+00
  %49 = call float @llvm.copysign.f32(float 0.000000e+00, float %37)
  %50 = select i1 %48, float %49, float %37
  %51 = fcmp uno float %36, 0.000000e+00
  %52 = call float @llvm.copysign.f32(float 0.000000e+00, float %36)
  %53 = select i1 %51, float %52, float %36
  br label %84

54:
  br i1 %21, label %84, label %55

55:
  %56 = fmul float %34, %37
  %57 = call float @llvm.fabs.f32(float %56)
  %58 = fcmp oeq float %57, 0x7FF0000000000000
  br i1 %58, label %71, label %59

59:
  %60 = fmul float %35, %36
  %61 = call float @llvm.fabs.f32(float %60)
  %62 = fcmp oeq float %61, 0x7FF0000000000000
  br i1 %62, label %71, label %63

63:
  %64 = fmul float %35, %37
  %65 = call float @llvm.fabs.f32(float %64)
  %66 = fcmp oeq float %65, 0x7FF0000000000000
  br i1 %66, label %71, label %67

67:
  %68 = fmul float %34, %36
  %69 = call float @llvm.fabs.f32(float %68)
  %70 = fcmp oeq float %69, 0x7FF0000000000000
  br i1 %70, label %71, label %99

71:
  %72 = fcmp uno float %37, 0.000000e+00
  %73 = call float @llvm.copysign.f32(float 0.000000e+00, float %37)
  %74 = select i1 %72, float %73, float %37
  %75 = fcmp uno float %36, 0.000000e+00
  %76 = call float @llvm.copysign.f32(float 0.000000e+00, float %36)
  %77 = select i1 %75, float %76, float %36
  %78 = fcmp uno float %34, 0.000000e+00
  %79 = call float @llvm.copysign.f32(float 0.000000e+00, float %34)
  %80 = select i1 %78, float %79, float %34
  %81 = fcmp uno float %35, 0.000000e+00
  %82 = call float @llvm.copysign.f32(float 0.000000e+00, float %35)
  %83 = select i1 %81, float %82, float %35
  br label %84

84:
  %85 = phi float [ %34, %54 ], [ %80, %71 ], [ %45, %43 ]
  %86 = phi float [ %35, %54 ], [ %83, %71 ], [ %47, %43 ]
  %87 = phi float [ %36, %54 ], [ %77, %71 ], [ %53, %43 ]
  %88 = phi float [ %37, %54 ], [ %74, %71 ], [ %50, %43 ]
  %89 = fmul float %85, %88
  %90 = fmul float %86, %87
  %91 = fsub float %89, %90
  %92 = fmul float %91, 0x7FF0000000000000
  %93 = fmul float %86, %88
  %94 = fmul float %85, %87
  %95 = fadd float %94, %93
  %96 = fmul float %95, 0x7FF0000000000000
  %97 = insertelement <2 x float> poison, float %92, i64 0
  %98 = insertelement <2 x float> %97, float %96, i64 1
  br label %99

99:
  %100 = phi <2 x float> [ %12, %4 ], [ %98, %84 ], [ %12, %67 ]
  ret <2 x float> %100
}
define internal <2 x float> @gradir.body.__divsc3(float %0, float %1, float %2, float %3) {
4:
  %5 = call float @llvm.fabs.f32(float %2)
  %6 = call float @llvm.fabs.f32(float %3)
  %7 = call float @llvm.maxnum.f32(float %5, float %6)
  %8 = call float @logbf(float %7)
  %9 = call float @llvm.fabs.f32(float %8)
  %10 = fcmp ueq float %9, 0x7FF0000000000000
  br i1 %10, label %16, label %11

11:
  %12 = fptosi float %8 to i32
  %13 = sub nsw i32 0, %12
  %14 = call float @llvm.ldexp.f32.i32(float %2, i32 %13)
  %15 = call float @llvm.ldexp.f32.i32(float %3, i32 %13)
  br label %16

16:
  %17 = phi i32 [ %12, %11 ], [ 0, %4 ]
  %18 = phi float [ %15, %11 ], [ %3, %4 ]
  %19 = phi float [ %14, %11 ], [ %2, %4 ]
  %20 = fmul float %19, %19
  %21 = fmul float %18, %18
  %22 = fadd float %21, %20
  %23 = fmul float %0, %19
  %24 = fmul float %1, %18
  %25 = fadd float %24, %23
  %26 = fdiv float %25, %22
  %27 = sub nsw i32 0, %17
  %28 = call float @llvm.ldexp.f32.i32(float %26, i32 %27)
  %29 = insertelement <2 x float> poison, float %28, i64 0
  %30 = fmul float %1, %19
  %31 = fmul float %0, %18
  %32 = fsub float %30, %31
  %33 = fdiv float %32, %22
  %34 = call float @llvm.ldexp.f32.i32(float %33, i32 %27)
  %35 = insertelement <2 x float> %29, float %34, i64 1
  %36 = fcmp uno float %28, 0.000000e+00
  %37 = fcmp uno float %34, 0.000000e+00
  %38 = select i1 %36, i1 %37, i1 false
  br i1 %38, label %39, label %102

39:
  %40 = fcmp oeq float %22, 0.000000e+00
  br i1 %40, label %41, label %51

41:
  %42 = fcmp uno float %0, 0.000000e+00
  %43 = fcmp uno float %1, 0.000000e+00
  %44 = and i1 %42, %43
  br i1 %44, label %51, label %45

45:
  %46 = call float @llvm.copysign.f32(float 0x7FF0000000000000, float %19)
  %47 = fmul float %0, %46
  %48 = fmul float %1, %46
  %49 = insertelement <2 x float> poison, float %47, i64 0
  %50 = insertelement <2 x float> %49, float %48, i64 1
  br label %102

51:
  %52 = call float @llvm.fabs.f32(float %0)
  %53 = fcmp oeq float %52, 0x7FF0000000000000
  %54 = call float @llvm.fabs.f32(float %1)
  %55 = fcmp oeq float %54, 0x7FF0000000000000
  %56 = or i1 %53, %55
  %57 = xor i1 %56, true
  %58 = call float @llvm.fabs.f32(float %19)
  %59 = fcmp ueq float %58, 0x7FF0000000000000
  %60 = select i1 %57, i1 true, i1 %59
  %61 = call float @llvm.fabs.f32(float %18)
  %62 = fcmp ueq float %61, 0x7FF0000000000000
  %63 = select i1 %60, i1 true, i1 %62
  br i1 %63, label %79, label %64

64:
  %65 = uitofp i1 %53 to float
  %66 = call float @llvm.copysign.f32(float %65, float %0)
  %67 = uitofp i1 %55 to float
  %68 = call float @llvm.copysign.f32(float %67, float %1)
  %69 = fmul float %66, %19
  %70 = fmul float %68, %18
  %71 = fadd float %70, %69
  %72 = fmul float %71, 0x7FF0000000000000
  %73 = fmul float %68, %19
  %74 = fmul float %66, %18
  %75 = fsub float %73, %74
  %76 = fmul float %75, 0x7FF0000000000000
  %77 = insertelement <2 x float> poison, float %72, i64 0
  %78 = insertelement <2 x float> %77, float %76, i64 1
  br label %102

79:
  %80 = fcmp une float %8, 0x7FF0000000000000
  %81 = fcmp ueq float %52, 0x7FF0000000000000
  %82 = or i1 %81, %80
  %83 = fcmp ueq float %54, 0x7FF0000000000000
  %84 = or i1 %83, %82
  br i1 %84, label %102, label %85

85:
  %86 = fcmp oeq float %58, 0x7FF0000000000000
  %87 = uitofp i1 %86 to float
  %88 = call float @llvm.copysign.f32(float %87, float %19)
  %89 = fcmp oeq float %61, 0x7FF0000000000000
  %90 = uitofp i1 %89 to float
  %91 = call float @llvm.copysign.f32(float %90, float %18)
  %92 = fmul float %0, %88
  %93 = fmul float %1, %91
  %94 = fadd float %93, %92
  %95 = fmul float %94, 0.000000e+00
  %96 = fmul float %1, %88
  %97 = fmul float %0, %91
  %98 = fsub float %96, %97
  %99 = fmul float %98, 0.000000e+00
  %100 = insertelement <2 x float> poison, float %95, i64 0
  %101 = insertelement <2 x float> %100, float %99, i64 1
  br label %102

102:
  %103 = phi <2 x float> [ %78, %64 ], [ %101, %85 ], [ %50, %45 ], [ %35, %16 ], [ %35, %79 ]
  ret <2 x float> %103
}
define internal float @gradir.body.cabsf(float %0, float %1) {
2:
  %3 = call float @hypotf(float %0, float %1)
  ret float %3
}
declare float @hypotf(float, float)
define internal float @gradir.body.cargf(float %0, float %1) {
2:
  %3 = call float @llvm.atan2.f32(float %1, float %0)
  ret float %3
}
declare float @llvm.atan2.f32(float, float)
define internal float @gradir.body.crealf(float %0, float %1) {
2:
  ret float %0
}
define internal float @gradir.body.cimagf(float %0, float %1) {
2:
  ret float %1
}
define internal <2 x float> @gradir.body.conjf(float %0, float %1) {
2:
  %3 = insertelement <2 x float> poison, float %0, i64 0
  %4 = fneg float %1
  %5 = insertelement <2 x float> %3, float %4, i64 1
  ret <2 x float> %5
}
define internal <2 x float> @gradir.body.cprojf(float %0, float %1) {
2:
  %3 = call float @llvm.fabs.f32(float %0)
  %4 = fcmp oeq float %3, 0x7FF0000000000000
  %5 = call float @llvm.fabs.f32(float %1)
  %6 = fcmp oeq float %5, 0x7FF0000000000000
  %7 = or i1 %4, %6
  br i1 %7, label %8, label %11

8:
  %9 = call float @llvm.copysign.f32(float 0.000000e+00, float %1)
  %10 = insertelement <2 x float> <float 0x7FF0000000000000, float poison>, float %9, i64 1
  br label %14

11:
  %12 = insertelement <2 x float> poison, float %0, i64 0
  %13 = insertelement <2 x float> %12, float %1, i64 1
  br label %14

14:
  %15 = phi <2 x float> [ %10, %8 ], [ %13, %11 ]
  ret <2 x float> %15
}
define internal <2 x float> @gradir.body.cexpf(float %0, float %1) {
2:
  %3 = call float @llvm.exp.f32(float %0)
  %4 = fcmp oeq float %1, 0.000000e+00
  br i1 %4, label %5, label %9

5:
  %6 = insertelement <2 x float> poison, float %3, i64 0
  %7 = fmul float %1, %3
  %8 = insertelement <2 x float> %6, float %7, i64 1
  br label %16

9:
  %10 = call float @llvm.cos.f32(float %1)
  %11 = fmul float %3, %10
  %12 = insertelement <2 x float> poison, float %11, i64 0
  %13 = call float @llvm.sin.f32(float %1)
  %14 = fmul float %3, %13
  %15 = insertelement <2 x float> %12, float %14, i64 1
  br label %16

16:
  %17 = phi <2 x float> [ %8, %5 ], [ %15, %9 ]
  ret <2 x float> %17
}
define internal <2 x float> @gradir.body.clogf(float %0, float %1) {
2:
  %3 = call float @hypotf(float %0, float %1)
  %4 = call float @llvm.log.f32(float %3)
  %5 = insertelement <2 x float> poison, float %4, i64 0
  %6 = call float @llvm.atan2.f32(float %1, float %0)
  %7 = insertelement <2 x float> %5, float %6, i64 1
  ret <2 x float> %7
}
define internal <2 x float> @gradir.body.clog10f(float %0, float %1) {
2:
  %3 = call float @hypotf(float %0, float %1)
  %4 = call float @llvm.log10.f32(float %3)
  %5 = insertelement <2 x float> poison, float %4, i64 0
  %6 = call float @llvm.atan2.f32(float %1, float %0)
  %7 = fmul float %6, 0x3FDBCB7B20000000
  %8 = insertelement <2 x float> %5, float %7, i64 1
  ret <2 x float> %8
}
declare float @llvm.log10.f32(float)
define internal <2 x float> @gradir.body.csqrtf(float %0, float %1) {
2:
  %3 = insertelement <2 x float> poison, float %0, i64 0
  %4 = insertelement <2 x float> %3, float %1, i64 1
  %5 = fcmp oeq float %0, 0.000000e+00
  %6 = fcmp oeq float %1, 0.000000e+00
  %7 = and i1 %5, %6
  br i1 %7, label %8, label %10

8:
  %9 = insertelement <2 x float> %4, float 0.000000e+00, i64 0
  br label %45

10:
  %11 = call float @llvm.fabs.f32(float %0)
  %12 = call float @llvm.fabs.f32(float %1)
  %13 = call float @llvm.maxnum.f32(float %11, float %12)
  %14 = fcmp ogt float %13, 0x47B0000000000000
  %15 = fmul float %0, 2.500000e-01
  %16 = insertelement <2 x float> poison, float %15, i64 0
  %17 = fmul float %1, 2.500000e-01
  %18 = insertelement <2 x float> %16, float %17, i64 1
  %19 = select i1 %14, <2 x float> %18, <2 x float> %4
  %20 = select i1 %14, float 2.000000e+00, float 1.000000e+00
  %21 = extractelement <2 x float> %19, i64 0
  %22 = call float @llvm.fabs.f32(float %21)
  %23 = extractelement <2 x float> %19, i64 1
  %24 = call float @hypotf(float %21, float %23)
  %25 = fadd float %22, %24
  %26 = fmul float %25, 5.000000e-01
  %27 = call float @llvm.sqrt.f32(float %26)
  %28 = fcmp ult float %21, 0.000000e+00
  br i1 %28, label %36, label %29

29:
  %30 = fmul float %20, %27
  %31 = insertelement <2 x float> poison, float %30, i64 0
  %32 = fmul float %20, %23
  %33 = fmul float %27, 2.000000e+00
  %34 = fdiv float %32, %33
  %35 = insertelement <2 x float> %31, float %34, i64 1
  br label %45

36:
  %37 = call float @llvm.fabs.f32(float %23)
  %38 = fmul float %20, %37
  %39 = fmul float %27, 2.000000e+00
  %40 = fdiv float %38, %39
  %41 = insertelement <2 x float> poison, float %40, i64 0
  %42 = call float @llvm.copysign.f32(float %27, float %23)
  %43 = fmul float %20, %42
  %44 = insertelement <2 x float> %41, float %43, i64 1
  br label %45

45:
  %46 = phi <2 x float> [ %9, %8 ], [ %35, %29 ], [ %44, %36 ]
  ret <2 x float> %46
}
define internal <2 x float> @gradir.body.csinf(float %0, float %1) {
2:
  %3 = call float @llvm.sin.f32(float %0)
  %4 = call float @llvm.cosh.f32(float %1)
  %5 = fmul float %3, %4
  %6 = insertelement <2 x float> poison, float %5, i64 0
  %7 = call float @llvm.cos.f32(float %0)
  %8 = call float @llvm.sinh.f32(float %1)
  %9 = fmul float %7, %8
  %10 = insertelement <2 x float> %6, float %9, i64 1
  ret <2 x float> %10
}
declare float @llvm.cosh.f32(float)
declare float @llvm.sinh.f32(float)
define internal <2 x float> @gradir.body.ccosf(float %0, float %1) {
2:
  %3 = call float @llvm.cos.f32(float %0)
  %4 = call float @llvm.cosh.f32(float %1)
  %5 = fmul float %3, %4
  %6 = insertelement <2 x float> poison, float %5, i64 0
  %7 = call float @llvm.sin.f32(float %0)
  %8 = call float @llvm.sinh.f32(float %1)
  %9 = fneg float %8
  %10 = fmul float %7, %9
  %11 = insertelement <2 x float> %6, float %10, i64 1
  ret <2 x float> %11
}
define internal <2 x float> @gradir.body.csinhf(float %0, float %1) {
2:
  %3 = call float @llvm.sinh.f32(float %0)
  %4 = call float @llvm.cos.f32(float %1)
  %5 = fmul float %3, %4
  %6 = insertelement <2 x float> poison, float %5, i64 0
  %7 = call float @llvm.cosh.f32(float %0)
  %8 = call float @llvm.sin.f32(float %1)
  %9 = fmul float %7, %8
  %10 = insertelement <2 x float> %6, float %9, i64 1
  ret <2 x float> %10
}
define internal <2 x float> @gradir.body.ccoshf(float %0, float %1) {
2:
  %3 = call float @llvm.cosh.f32(float %0)
  %4 = call float @llvm.cos.f32(float %1)
  %5 = fmul float %3, %4
  %6 = insertelement <2 x float> poison, float %5, i64 0
  %7 = call float @llvm.sinh.f32(float %0)
  %8 = call float @llvm.sin.f32(float %1)
  %9 = fmul float %7, %8
  %10 = insertelement <2 x float> %6, float %9, i64 1
  ret <2 x float> %10
}
define internal <2 x float> @gradir.body.ctanhf(float %0, float %1) {
2:
  %3 = call float @llvm.fabs.f32(float %0)
  %4 = fcmp ogt float %3, 1.100000e+01
  br i1 %4, label %5, label %16

5:
  %6 = call float @llvm.copysign.f32(float 1.000000e+00, float %0)
  %7 = insertelement <2 x float> poison, float %6, i64 0
  %8 = call float @llvm.sin.f32(float %1)
  %9 = fmul float %8, 4.000000e+00
  %10 = call float @llvm.cos.f32(float %1)
  %11 = fmul float %10, %9
  %12 = fmul float %3, -2.000000e+00
  %13 = call float @llvm.exp.f32(float %12)
  %14 = fmul float %13, %11
  %15 = insertelement <2 x float> %7, float %14, i64 1
  br label %33

16:
  %17 = call float @llvm.tan.f32(float %1)
  %18 = fmul float %17, %17
  %19 = fadd float %18, 1.000000e+00
  %20 = call float @llvm.sinh.f32(float %0)
  %21 = fmul float %20, %20
  %22 = fadd float %21, 1.000000e+00
  %23 = call float @llvm.sqrt.f32(float %22)
  %24 = fmul float %20, %19
  %25 = fmul float %20, %24
  %26 = fadd float %25, 1.000000e+00
  %27 = fmul float %19, %23
  %28 = fmul float %20, %27
  %29 = fdiv float %28, %26
  %30 = insertelement <2 x float> poison, float %29, i64 0
  %31 = fdiv float %17, %26
  %32 = insertelement <2 x float> %30, float %31, i64 1
  br label %33

33:
  %34 = phi <2 x float> [ %15, %5 ], [ %32, %16 ]
  ret <2 x float> %34
}
define internal <2 x float> @gradir.body.ctanf(float %0, float %1) {
2:
  %3 = fneg float %1
  %4 = call float @llvm.fabs.f32(float %1)
  %5 = fcmp ogt float %4, 1.100000e+01
  br i1 %5, label %6, label %17

6:
  %7 = call float @llvm.copysign.f32(float 1.000000e+00, float %3)
  %8 = insertelement <2 x float> poison, float %7, i64 0
  %9 = call float @llvm.sin.f32(float %0)
  %10 = fmul float %9, 4.000000e+00
  %11 = call float @llvm.cos.f32(float %0)
  %12 = fmul float %11, %10
  %13 = fmul float %4, -2.000000e+00
  %14 = call float @llvm.exp.f32(float %13)
  %15 = fmul float %12, %14
  %16 = insertelement <2 x float> %8, float %15, i64 1
  br label %34

17:
  %18 = call float @llvm.tan.f32(float %0)
  %19 = fmul float %18, %18
  %20 = fadd float %19, 1.000000e+00
  %21 = call float @llvm.sinh.f32(float %3)
  %22 = fmul float %21, %21
  %23 = fadd float %22, 1.000000e+00
  %24 = call float @llvm.sqrt.f32(float %23)
  %25 = fmul float %21, %20
  %26 = fmul float %21, %25
  %27 = fadd float %26, 1.000000e+00
  %28 = fmul float %20, %24
  %29 = fmul float %21, %28
  %30 = fdiv float %29, %27
  %31 = insertelement <2 x float> poison, float %30, i64 0
  %32 = fdiv float %18, %27
  %33 = insertelement <2 x float> %31, float %32, i64 1
  br label %34

34:
  %35 = phi <2 x float> [ %16, %6 ], [ %33, %17 ]
  %36 = fneg <2 x float> %35
  %37 = shufflevector <2 x float> %35, <2 x float> %36, <2 x i32> <i32 1, i32 2>
  ret <2 x float> %37
}
define internal <2 x float> @gradir.body.casinf(float %0, float %1) {
2:
  %3 = fsub float 1.000000e+00, %0
  %4 = insertelement <2 x float> poison, float %3, i64 0
  %5 = fneg float %1
  %6 = insertelement <2 x float> %4, float %5, i64 1
  %7 = fcmp oeq float %3, 0.000000e+00
  %8 = fcmp oeq float %1, 0.000000e+00
  %9 = and i1 %7, %8
  br i1 %9, label %10, label %12

10:
  %11 = insertelement <2 x float> %6, float 0.000000e+00, i64 0
  br label %47

12:
  %13 = call float @llvm.fabs.f32(float %3)
  %14 = call float @llvm.fabs.f32(float %1)
  %15 = call float @llvm.maxnum.f32(float %13, float %14)
  %16 = fcmp ogt float %15, 0x47B0000000000000
  %17 = fmul float %3, 2.500000e-01
  %18 = insertelement <2 x float> poison, float %17, i64 0
  %19 = fmul float %1, -2.500000e-01
  %20 = insertelement <2 x float> %18, float %19, i64 1
  %21 = select i1 %16, <2 x float> %20, <2 x float> %6
  %22 = select i1 %16, float 2.000000e+00, float 1.000000e+00
  %23 = extractelement <2 x float> %21, i64 0
  %24 = call float @llvm.fabs.f32(float %23)
  %25 = extractelement <2 x float> %21, i64 1
  %26 = call float @hypotf(float %23, float %25)
  %27 = fadd float %24, %26
  %28 = fmul float %27, 5.000000e-01
  %29 = call float @llvm.sqrt.f32(float %28)
  %30 = fcmp ult float %23, 0.000000e+00
  br i1 %30, label %38, label %31

31:
  %32 = fmul float %22, %29
  %33 = insertelement <2 x float> poison, float %32, i64 0
  %34 = fmul float %22, %25
  %35 = fmul float %29, 2.000000e+00
  %36 = fdiv float %34, %35
  %37 = insertelement <2 x float> %33, float %36, i64 1
  br label %47

38:
  %39 = call float @llvm.fabs.f32(float %25)
  %40 = fmul float %22, %39
  %41 = fmul float %29, 2.000000e+00
  %42 = fdiv float %40, %41
  %43 = insertelement <2 x float> poison, float %42, i64 0
  %44 = call float @llvm.copysign.f32(float %29, float %25)
  %45 = fmul float %22, %44
  %46 = insertelement <2 x float> %43, float %45, i64 1
  br label %47

47:
  %48 = phi <2 x float> [ %11, %10 ], [ %37, %31 ], [ %46, %38 ]
  %49 = fadd float %0, 1.000000e+00
  %50 = insertelement <2 x float> poison, float %49, i64 0
  %51 = insertelement <2 x float> %50, float %1, i64 1
  %52 = fcmp oeq float %49, 0.000000e+00
  %53 = and i1 %52, %8
  br i1 %53, label %54, label %56

54:
  %55 = insertelement <2 x float> %51, float 0.000000e+00, i64 0
  br label %91

56:
  %57 = call float @llvm.fabs.f32(float %49)
  %58 = call float @llvm.fabs.f32(float %1)
  %59 = call float @llvm.maxnum.f32(float %57, float %58)
  %60 = fcmp ogt float %59, 0x47B0000000000000
  %61 = fmul float %49, 2.500000e-01
  %62 = insertelement <2 x float> poison, float %61, i64 0
  %63 = fmul float %1, 2.500000e-01
  %64 = insertelement <2 x float> %62, float %63, i64 1
  %65 = select i1 %60, <2 x float> %64, <2 x float> %51
  %66 = select i1 %60, float 2.000000e+00, float 1.000000e+00
  %67 = extractelement <2 x float> %65, i64 0
  %68 = call float @llvm.fabs.f32(float %67)
  %69 = extractelement <2 x float> %65, i64 1
  %70 = call float @hypotf(float %67, float %69)
  %71 = fadd float %68, %70
  %72 = fmul float %71, 5.000000e-01
  %73 = call float @llvm.sqrt.f32(float %72)
  %74 = fcmp ult float %67, 0.000000e+00
  br i1 %74, label %82, label %75

75:
  %76 = fmul float %66, %73
  %77 = insertelement <2 x float> poison, float %76, i64 0
  %78 = fmul float %66, %69
  %79 = fmul float %73, 2.000000e+00
  %80 = fdiv float %78, %79
  %81 = insertelement <2 x float> %77, float %80, i64 1
  br label %91

82:
  %83 = call float @llvm.fabs.f32(float %69)
  %84 = fmul float %66, %83
  %85 = fmul float %73, 2.000000e+00
  %86 = fdiv float %84, %85
  %87 = insertelement <2 x float> poison, float %86, i64 0
  %88 = call float @llvm.copysign.f32(float %73, float %69)
  %89 = fmul float %66, %88
  %90 = insertelement <2 x float> %87, float %89, i64 1
  br label %91

91:
  %92 = phi <2 x float> [ %55, %54 ], [ %81, %75 ], [ %90, %82 ]
  %93 = extractelement <2 x float> %48, i64 0
  %94 = extractelement <2 x float> %92, i64 0
  %95 = fmul <2 x float> %48, %92
  %96 = extractelement <2 x float> %95, i64 0
  %97 = extractelement <2 x float> %48, i64 1
  %98 = extractelement <2 x float> %92, i64 1
  %99 = fmul float %97, %98
  %100 = fsub float %96, %99
  %101 = call float @llvm.atan2.f32(float %0, float %100)
  %102 = insertelement <2 x float> poison, float %101, i64 0
  %103 = fmul float %93, %98
  %104 = fmul float %97, %94
  %105 = fsub float %103, %104
  %106 = call float @asinhf(float %105)
  %107 = insertelement <2 x float> %102, float %106, i64 1
  ret <2 x float> %107
}
define internal <2 x float> @gradir.body.casinhf(float %0, float %1) {
2:
  %3 = fadd float %1, 1.000000e+00
  %4 = insertelement <2 x float> poison, float %3, i64 0
  %5 = fneg float %0
  %6 = insertelement <2 x float> %4, float %5, i64 1
  %7 = fcmp oeq float %3, 0.000000e+00
  %8 = fcmp oeq float %0, 0.000000e+00
  %9 = and i1 %8, %7
  br i1 %9, label %10, label %12

10:
  %11 = insertelement <2 x float> %6, float 0.000000e+00, i64 0
  br label %47

12:
  %13 = call float @llvm.fabs.f32(float %3)
  %14 = call float @llvm.fabs.f32(float %0)
  %15 = call float @llvm.maxnum.f32(float %13, float %14)
  %16 = fcmp ogt float %15, 0x47B0000000000000
  %17 = fmul float %3, 2.500000e-01
  %18 = insertelement <2 x float> poison, float %17, i64 0
  %19 = fmul float %0, -2.500000e-01
  %20 = insertelement <2 x float> %18, float %19, i64 1
  %21 = select i1 %16, <2 x float> %20, <2 x float> %6
  %22 = select i1 %16, float 2.000000e+00, float 1.000000e+00
  %23 = extractelement <2 x float> %21, i64 0
  %24 = call float @llvm.fabs.f32(float %23)
  %25 = extractelement <2 x float> %21, i64 1
  %26 = call float @hypotf(float %23, float %25)
  %27 = fadd float %24, %26
  %28 = fmul float %27, 5.000000e-01
  %29 = call float @llvm.sqrt.f32(float %28)
  %30 = fcmp ult float %23, 0.000000e+00
  br i1 %30, label %38, label %31

31:
  %32 = fmul float %22, %29
  %33 = insertelement <2 x float> poison, float %32, i64 0
  %34 = fmul float %22, %25
  %35 = fmul float %29, 2.000000e+00
  %36 = fdiv float %34, %35
  %37 = insertelement <2 x float> %33, float %36, i64 1
  br label %47

38:
  %39 = call float @llvm.fabs.f32(float %25)
  %40 = fmul float %22, %39
  %41 = fmul float %29, 2.000000e+00
  %42 = fdiv float %40, %41
  %43 = insertelement <2 x float> poison, float %42, i64 0
  %44 = call float @llvm.copysign.f32(float %29, float %25)
  %45 = fmul float %22, %44
  %46 = insertelement <2 x float> %43, float %45, i64 1
  br label %47

47:
  %48 = phi <2 x float> [ %11, %10 ], [ %37, %31 ], [ %46, %38 ]
  %49 = fsub float 1.000000e+00, %1
  %50 = insertelement <2 x float> poison, float %49, i64 0
  %51 = insertelement <2 x float> %50, float %0, i64 1
  %52 = fcmp oeq float %49, 0.000000e+00
  %53 = and i1 %8, %52
  br i1 %53, label %54, label %56

54:
  %55 = insertelement <2 x float> %51, float 0.000000e+00, i64 0
  br label %91

56:
  %57 = call float @llvm.fabs.f32(float %49)
  %58 = call float @llvm.fabs.f32(float %0)
  %59 = call float @llvm.maxnum.f32(float %57, float %58)
  %60 = fcmp ogt float %59, 0x47B0000000000000
  %61 = fmul float %49, 2.500000e-01
  %62 = insertelement <2 x float> poison, float %61, i64 0
  %63 = fmul float %0, 2.500000e-01
  %64 = insertelement <2 x float> %62, float %63, i64 1
  %65 = select i1 %60, <2 x float> %64, <2 x float> %51
  %66 = select i1 %60, float 2.000000e+00, float 1.000000e+00
  %67 = extractelement <2 x float> %65, i64 0
  %68 = call float @llvm.fabs.f32(float %67)
  %69 = extractelement <2 x float> %65, i64 1
  %70 = call float @hypotf(float %67, float %69)
  %71 = fadd float %68, %70
  %72 = fmul float %71, 5.000000e-01
  %73 = call float @llvm.sqrt.f32(float %72)
  %74 = fcmp ult float %67, 0.000000e+00
  br i1 %74, label %82, label %75

75:
  %76 = fmul float %66, %73
  %77 = insertelement <2 x float> poison, float %76, i64 0
  %78 = fmul float %66, %69
  %79 = fmul float %73, 2.000000e+00
  %80 = fdiv float %78, %79
  %81 = insertelement <2 x float> %77, float %80, i64 1
  br label %91

82:
  %83 = call float @llvm.fabs.f32(float %69)
  %84 = fmul float %66, %83
  %85 = fmul float %73, 2.000000e+00
  %86 = fdiv float %84, %85
  %87 = insertelement <2 x float> poison, float %86, i64 0
  %88 = call float @llvm.copysign.f32(float %73, float %69)
  %89 = fmul float %66, %88
  %90 = insertelement <2 x float> %87, float %89, i64 1
  br label %91

91:
  %92 = phi <2 x float> [ %55, %54 ], [ %81, %75 ], [ %90, %82 ]
  %93 = fneg float %1
  %94 = extractelement <2 x float> %48, i64 0
  %95 = extractelement <2 x float> %92, i64 0
  %96 = fmul <2 x float> %48, %92
  %97 = extractelement <2 x float> %96, i64 0
  %98 = extractelement <2 x float> %48, i64 1
  %99 = extractelement <2 x float> %92, i64 1
  %100 = fmul float %98, %99
  %101 = fsub float %97, %100
  %102 = call float @llvm.atan2.f32(float %93, float %101)
  %103 = fmul float %94, %99
  %104 = fmul float %98, %95
  %105 = fsub float %103, %104
  %106 = call float @asinhf(float %105)
  %107 = insertelement <2 x float> poison, float %106, i64 0
  %108 = fneg float %102
  %109 = insertelement <2 x float> %107, float %108, i64 1
  ret <2 x float> %109
}
define internal <2 x float> @gradir.body.cacosf(float %0, float %1) {
2:
  %3 = fsub float 1.000000e+00, %0
  %4 = insertelement <2 x float> poison, float %3, i64 0
  %5 = fneg float %1
  %6 = insertelement <2 x float> %4, float %5, i64 1
  %7 = fcmp oeq float %3, 0.000000e+00
  %8 = fcmp oeq float %1, 0.000000e+00
  %9 = and i1 %7, %8
  br i1 %9, label %10, label %12

10:
  %11 = insertelement <2 x float> %6, float 0.000000e+00, i64 0
  br label %47

12:
  %13 = call float @llvm.fabs.f32(float %3)
  %14 = call float @llvm.fabs.f32(float %1)
  %15 = call float @llvm.maxnum.f32(float %13, float %14)
  %16 = fcmp ogt float %15, 0x47B0000000000000
  %17 = fmul float %3, 2.500000e-01
  %18 = insertelement <2 x float> poison, float %17, i64 0
  %19 = fmul float %1, -2.500000e-01
  %20 = insertelement <2 x float> %18, float %19, i64 1
  %21 = select i1 %16, <2 x float> %20, <2 x float> %6
  %22 = select i1 %16, float 2.000000e+00, float 1.000000e+00
  %23 = extractelement <2 x float> %21, i64 0
  %24 = call float @llvm.fabs.f32(float %23)
  %25 = extractelement <2 x float> %21, i64 1
  %26 = call float @hypotf(float %23, float %25)
  %27 = fadd float %24, %26
  %28 = fmul float %27, 5.000000e-01
  %29 = call float @llvm.sqrt.f32(float %28)
  %30 = fcmp ult float %23, 0.000000e+00
  br i1 %30, label %38, label %31

31:
  %32 = fmul float %22, %29
  %33 = insertelement <2 x float> poison, float %32, i64 0
  %34 = fmul float %22, %25
  %35 = fmul float %29, 2.000000e+00
  %36 = fdiv float %34, %35
  %37 = insertelement <2 x float> %33, float %36, i64 1
  br label %47

38:
  %39 = call float @llvm.fabs.f32(float %25)
  %40 = fmul float %22, %39
  %41 = fmul float %29, 2.000000e+00
  %42 = fdiv float %40, %41
  %43 = insertelement <2 x float> poison, float %42, i64 0
  %44 = call float @llvm.copysign.f32(float %29, float %25)
  %45 = fmul float %22, %44
  %46 = insertelement <2 x float> %43, float %45, i64 1
  br label %47

47:
  %48 = phi <2 x float> [ %11, %10 ], [ %37, %31 ], [ %46, %38 ]
  %49 = fadd float %0, 1.000000e+00
  %50 = insertelement <2 x float> poison, float %49, i64 0
  %51 = insertelement <2 x float> %50, float %1, i64 1
  %52 = fcmp oeq float %49, 0.000000e+00
  %53 = and i1 %52, %8
  br i1 %53, label %54, label %56

54:
  %55 = insertelement <2 x float> %51, float 0.000000e+00, i64 0
  br label %91

56:
  %57 = call float @llvm.fabs.f32(float %49)
  %58 = call float @llvm.fabs.f32(float %1)
  %59 = call float @llvm.maxnum.f32(float %57, float %58)
  %60 = fcmp ogt float %59, 0x47B0000000000000
  %61 = fmul float %49, 2.500000e-01
  %62 = insertelement <2 x float> poison, float %61, i64 0
  %63 = fmul float %1, 2.500000e-01
  %64 = insertelement <2 x float> %62, float %63, i64 1
  %65 = select i1 %60, <2 x float> %64, <2 x float> %51
  %66 = select i1 %60, float 2.000000e+00, float 1.000000e+00
  %67 = extractelement <2 x float> %65, i64 0
  %68 = call float @llvm.fabs.f32(float %67)
  %69 = extractelement <2 x float> %65, i64 1
  %70 = call float @hypotf(float %67, float %69)
  %71 = fadd float %68, %70
  %72 = fmul float %71, 5.000000e-01
  %73 = call float @llvm.sqrt.f32(float %72)
  %74 = fcmp ult float %67, 0.000000e+00
  br i1 %74, label %82, label %75

75:
  %76 = fmul float %66, %73
  %77 = insertelement <2 x float> poison, float %76, i64 0
  %78 = fmul float %66, %69
  %79 = fmul float %73, 2.000000e+00
  %80 = fdiv float %78, %79
  %81 = insertelement <2 x float> %77, float %80, i64 1
  br label %91

82:
  %83 = call float @llvm.fabs.f32(float %69)
  %84 = fmul float %66, %83
  %85 = fmul float %73, 2.000000e+00
  %86 = fdiv float %84, %85
  %87 = insertelement <2 x float> poison, float %86, i64 0
  %88 = call float @llvm.copysign.f32(float %73, float %69)
  %89 = fmul float %66, %88
  %90 = insertelement <2 x float> %87, float %89, i64 1
  br label %91

91:
  %92 = phi <2 x float> [ %55, %54 ], [ %81, %75 ], [ %90, %82 ]
  %93 = extractelement <2 x float> %48, i64 0
  %94 = extractelement <2 x float> %92, i64 0
  %95 = call float @llvm.atan2.f32(float %93, float %94)
  %96 = fmul float %95, 2.000000e+00
  %97 = insertelement <2 x float> poison, float %96, i64 0
  %98 = shufflevector <2 x float> %48, <2 x float> poison, <2 x i32> <i32 1, i32 poison>
  %99 = fmul <2 x float> %98, %92
  %100 = shufflevector <2 x float> %92, <2 x float> poison, <2 x i32> <i32 1, i32 poison>
  %101 = fmul <2 x float> %48, %100
  %102 = fsub <2 x float> %99, %101
  %103 = extractelement <2 x float> %102, i64 0
  %104 = call float @asinhf(float %103)
  %105 = insertelement <2 x float> %97, float %104, i64 1
  ret <2 x float> %105
}
declare float @asinhf(float)
define internal <2 x float> @gradir.body.cacoshf(float %0, float %1) {
2:
  %3 = fadd float %0, -1.000000e+00
  %4 = insertelement <2 x float> poison, float %3, i64 0
  %5 = insertelement <2 x float> %4, float %1, i64 1
  %6 = fcmp oeq float %3, 0.000000e+00
  %7 = fcmp oeq float %1, 0.000000e+00
  %8 = and i1 %6, %7
  br i1 %8, label %9, label %11

9:
  %10 = insertelement <2 x float> %5, float 0.000000e+00, i64 0
  br label %46

11:
  %12 = call float @llvm.fabs.f32(float %3)
  %13 = call float @llvm.fabs.f32(float %1)
  %14 = call float @llvm.maxnum.f32(float %12, float %13)
  %15 = fcmp ogt float %14, 0x47B0000000000000
  %16 = fmul float %3, 2.500000e-01
  %17 = insertelement <2 x float> poison, float %16, i64 0
  %18 = fmul float %1, 2.500000e-01
  %19 = insertelement <2 x float> %17, float %18, i64 1
  %20 = select i1 %15, <2 x float> %19, <2 x float> %5
  %21 = select i1 %15, float 2.000000e+00, float 1.000000e+00
  %22 = extractelement <2 x float> %20, i64 0
  %23 = call float @llvm.fabs.f32(float %22)
  %24 = extractelement <2 x float> %20, i64 1
  %25 = call float @hypotf(float %22, float %24)
  %26 = fadd float %23, %25
  %27 = fmul float %26, 5.000000e-01
  %28 = call float @llvm.sqrt.f32(float %27)
  %29 = fcmp ult float %22, 0.000000e+00
  br i1 %29, label %37, label %30

30:
  %31 = fmul float %21, %28
  %32 = insertelement <2 x float> poison, float %31, i64 0
  %33 = fmul float %21, %24
  %34 = fmul float %28, 2.000000e+00
  %35 = fdiv float %33, %34
  %36 = insertelement <2 x float> %32, float %35, i64 1
  br label %46

37:
  %38 = call float @llvm.fabs.f32(float %24)
  %39 = fmul float %21, %38
  %40 = fmul float %28, 2.000000e+00
  %41 = fdiv float %39, %40
  %42 = insertelement <2 x float> poison, float %41, i64 0
  %43 = call float @llvm.copysign.f32(float %28, float %24)
  %44 = fmul float %21, %43
  %45 = insertelement <2 x float> %42, float %44, i64 1
  br label %46

46:
  %47 = phi <2 x float> [ %10, %9 ], [ %36, %30 ], [ %45, %37 ]
  %48 = fadd float %0, 1.000000e+00
  %49 = insertelement <2 x float> poison, float %48, i64 0
  %50 = insertelement <2 x float> %49, float %1, i64 1
  %51 = fcmp oeq float %48, 0.000000e+00
  %52 = and i1 %51, %7
  br i1 %52, label %53, label %55

53:
  %54 = insertelement <2 x float> %50, float 0.000000e+00, i64 0
  br label %90

55:
  %56 = call float @llvm.fabs.f32(float %48)
  %57 = call float @llvm.fabs.f32(float %1)
  %58 = call float @llvm.maxnum.f32(float %56, float %57)
  %59 = fcmp ogt float %58, 0x47B0000000000000
  %60 = fmul float %48, 2.500000e-01
  %61 = insertelement <2 x float> poison, float %60, i64 0
  %62 = fmul float %1, 2.500000e-01
  %63 = insertelement <2 x float> %61, float %62, i64 1
  %64 = select i1 %59, <2 x float> %63, <2 x float> %50
  %65 = select i1 %59, float 2.000000e+00, float 1.000000e+00
  %66 = extractelement <2 x float> %64, i64 0
  %67 = call float @llvm.fabs.f32(float %66)
  %68 = extractelement <2 x float> %64, i64 1
  %69 = call float @hypotf(float %66, float %68)
  %70 = fadd float %67, %69
  %71 = fmul float %70, 5.000000e-01
  %72 = call float @llvm.sqrt.f32(float %71)
  %73 = fcmp ult float %66, 0.000000e+00
  br i1 %73, label %81, label %74

74:
  %75 = fmul float %65, %72
  %76 = insertelement <2 x float> poison, float %75, i64 0
  %77 = fmul float %65, %68
  %78 = fmul float %72, 2.000000e+00
  %79 = fdiv float %77, %78
  %80 = insertelement <2 x float> %76, float %79, i64 1
  br label %90

81:
  %82 = call float @llvm.fabs.f32(float %68)
  %83 = fmul float %65, %82
  %84 = fmul float %72, 2.000000e+00
  %85 = fdiv float %83, %84
  %86 = insertelement <2 x float> poison, float %85, i64 0
  %87 = call float @llvm.copysign.f32(float %72, float %68)
  %88 = fmul float %65, %87
  %89 = insertelement <2 x float> %86, float %88, i64 1
  br label %90

90:
  %91 = phi <2 x float> [ %54, %53 ], [ %80, %74 ], [ %89, %81 ]
  %92 = extractelement <2 x float> %91, i64 0
  %93 = fmul <2 x float> %47, %91
  %94 = extractelement <2 x float> %47, i64 1
  %95 = fmul <2 x float> %47, %91
  %96 = shufflevector <2 x float> %95, <2 x float> poison, <2 x i32> <i32 1, i32 poison>
  %97 = fadd <2 x float> %93, %96
  %98 = extractelement <2 x float> %97, i64 0
  %99 = call float @asinhf(float %98)
  %100 = insertelement <2 x float> poison, float %99, i64 0
  %101 = call float @llvm.atan2.f32(float %94, float %92)
  %102 = fmul float %101, 2.000000e+00
  %103 = insertelement <2 x float> %100, float %102, i64 1
  ret <2 x float> %103
}
define internal <2 x float> @gradir.body.catanhf(float %0, float %1) {
2:
  %3 = fmul float %0, 4.000000e+00
  %4 = fsub float 1.000000e+00, %0
  %5 = fmul float %4, %4
  %6 = fmul float %1, %1
  %7 = fadd float %6, %5
  %8 = fdiv float %3, %7
  %9 = call float @log1pf(float %8)
  %10 = fmul float %9, 2.500000e-01
  %11 = insertelement <2 x float> poison, float %10, i64 0
  %12 = fmul float %1, 2.000000e+00
  %13 = fadd float %0, 1.000000e+00
  %14 = fmul float %4, %13
  %15 = fsub float %14, %6
  %16 = call float @llvm.atan2.f32(float %12, float %15)
  %17 = fmul float %16, 5.000000e-01
  %18 = insertelement <2 x float> %11, float %17, i64 1
  ret <2 x float> %18
}
define internal <2 x float> @gradir.body.catanf(float %0, float %1) {
2:
  %3 = fmul float %1, -4.000000e+00
  %4 = fadd float %1, 1.000000e+00
  %5 = fmul float %4, %4
  %6 = fmul float %0, %0
  %7 = fadd float %6, %5
  %8 = fdiv float %3, %7
  %9 = call float @log1pf(float %8)
  %10 = fmul float %0, 2.000000e+00
  %11 = fsub float 1.000000e+00, %1
  %12 = fmul float %4, %11
  %13 = fsub float %12, %6
  %14 = call float @llvm.atan2.f32(float %10, float %13)
  %15 = fmul float %14, 5.000000e-01
  %16 = insertelement <2 x float> poison, float %15, i64 0
  %17 = fmul float %9, -2.500000e-01
  %18 = insertelement <2 x float> %16, float %17, i64 1
  ret <2 x float> %18
}
define internal <2 x float> @gradir.body.cpowf(float %0, float %1, float %2, float %3) {
4:
  %5 = fcmp oeq float %2, 0.000000e+00
  %6 = fcmp oeq float %3, 0.000000e+00
  %7 = and i1 %5, %6
  br i1 %7, label %35, label %8

8:
  %9 = fcmp oeq float %0, 0.000000e+00
  %10 = fcmp oeq float %1, 0.000000e+00
  %11 = and i1 %9, %10
  br i1 %11, label %35, label %12

12:
  %13 = call float @hypotf(float %0, float %1)
  %14 = call float @llvm.log.f32(float %13)
  %15 = call float @llvm.atan2.f32(float %1, float %0)
  %16 = fmul float %2, %14
  %17 = fmul float %15, %3
  %18 = fsub float %16, %17
  %19 = fmul float %2, %15
  %20 = fmul float %3, %14
  %21 = fadd float %19, %20
  %22 = call float @llvm.exp.f32(float %18)
  %23 = fcmp oeq float %21, 0.000000e+00
  br i1 %23, label %24, label %28

24:
  %25 = insertelement <2 x float> poison, float %22, i64 0
  %26 = fmul float %21, %22
  %27 = insertelement <2 x float> %25, float %26, i64 1
  br label %35

28:
  %29 = call float @llvm.cos.f32(float %21)
  %30 = fmul float %22, %29
  %31 = insertelement <2 x float> poison, float %30, i64 0
  %32 = call float @llvm.sin.f32(float %21)
  %33 = fmul float %22, %32
  %34 = insertelement <2 x float> %31, float %33, i64 1
  br label %35

35:
  %36 = phi <2 x float> [ zeroinitializer, %8 ], [ <float 1.000000e+00, float 0.000000e+00>, %4 ], [ %27, %24 ], [ %34, %28 ]
  ret <2 x float> %36
}
define internal <2 x float> @gradir.body._FortranAcpowi(float %0, float %1, i32 %2) {
3:
  %4 = icmp slt i32 %2, 0
  br i1 %4, label %5, label %64

5:
  %6 = call float @llvm.fabs.f32(float %0)
  %7 = call float @llvm.fabs.f32(float %1)
  %8 = call float @llvm.maxnum.f32(float %6, float %7)
  %9 = call float @logbf(float %8)
  %10 = call float @llvm.fabs.f32(float %9)
  %11 = fcmp ueq float %10, 0x7FF0000000000000
  br i1 %11, label %17, label %12

12:
  %13 = fptosi float %9 to i32
  %14 = sub nsw i32 0, %13
  %15 = call float @llvm.ldexp.f32.i32(float %0, i32 %14)
  %16 = call float @llvm.ldexp.f32.i32(float %1, i32 %14)
  br label %17

17:
  %18 = phi i32 [ %13, %12 ], [ 0, %5 ]
  %19 = phi float [ %16, %12 ], [ %1, %5 ]
  %20 = phi float [ %15, %12 ], [ %0, %5 ]
  %21 = fmul float %20, %20
  %22 = fmul float %19, %19
  %23 = fadd float %22, %21
  %24 = fmul float %19, 0.000000e+00
  %25 = fadd float %24, %20
  %26 = fdiv float %25, %23
  %27 = sub nsw i32 0, %18
  %28 = call float @llvm.ldexp.f32.i32(float %26, i32 %27)
  %29 = insertelement <2 x float> poison, float %28, i64 0
  %30 = fmul float %20, 0.000000e+00
  %31 = fsub float %30, %19
  %32 = fdiv float %31, %23
  %33 = call float @llvm.ldexp.f32.i32(float %32, i32 %27)
  %34 = insertelement <2 x float> %29, float %33, i64 1
  %35 = fcmp uno float %28, 0.000000e+00
  %36 = fcmp uno float %33, 0.000000e+00
  %37 = select i1 %35, i1 %36, i1 false
  br i1 %37, label %38, label %68

38:
  %39 = fcmp oeq float %23, 0.000000e+00
  br i1 %39, label %40, label %45

40:
  %41 = call float @llvm.copysign.f32(float 0x7FF0000000000000, float %20)
  %42 = fmul float %41, 0.000000e+00
  %43 = insertelement <2 x float> poison, float %41, i64 0
  %44 = insertelement <2 x float> %43, float %42, i64 1
  br label %68

45:
  %46 = fcmp une float %9, 0x7FF0000000000000
  br i1 %46, label %68, label %47

47:
  %48 = call float @llvm.fabs.f32(float %19)
  %49 = call float @llvm.fabs.f32(float %20)
  %50 = fcmp oeq float %49, 0x7FF0000000000000
  %51 = uitofp i1 %50 to float
  %52 = call float @llvm.copysign.f32(float %51, float %20)
  %53 = fcmp oeq float %48, 0x7FF0000000000000
  %54 = uitofp i1 %53 to float
  %55 = call float @llvm.copysign.f32(float %54, float %19)
  %56 = call float @llvm.copysign.f32(float 0.000000e+00, float %19)
  %57 = fadd float %56, %52
  %58 = fmul float %57, 0.000000e+00
  %59 = call float @llvm.copysign.f32(float 0.000000e+00, float %20)
  %60 = fsub float %59, %55
  %61 = fmul float %60, 0.000000e+00
  %62 = insertelement <2 x float> poison, float %58, i64 0
  %63 = insertelement <2 x float> %62, float %61, i64 1
  br label %68

64:
  %65 = insertelement <2 x float> poison, float %0, i64 0
  %66 = insertelement <2 x float> %65, float %1, i64 1
  %67 = icmp eq i32 %2, 0
  br i1 %67, label %108, label %68

68:
  %69 = phi <2 x float> [ %66, %64 ], [ %34, %17 ], [ %44, %40 ], [ %63, %47 ], [ %34, %45 ]
  %70 = call i32 @llvm.abs.i32(i32 %2, i1 false)
  %71 = zext i32 %70 to i64
  br label %72

72:
  %73 = phi <2 x float> [ %98, %95 ], [ <float 1.000000e+00, float 0.000000e+00>, %68 ]
  %74 = phi <2 x float> [ %105, %95 ], [ %69, %68 ]
  %75 = phi i64 [ %106, %95 ], [ %71, %68 ]
  %76 = and i64 %75, 1
  %77 = icmp eq i64 %76, 0
  br i1 %77, label %78, label %81

78:
  %79 = extractelement <2 x float> %74, i64 0
  %80 = extractelement <2 x float> %74, i64 1
  br label %95

81:
  %82 = extractelement <2 x float> %73, i64 0
  %83 = extractelement <2 x float> %74, i64 0
  %84 = fmul <2 x float> %73, %74
  %85 = extractelement <2 x float> %84, i64 0
  %86 = extractelement <2 x float> %73, i64 1
  %87 = extractelement <2 x float> %74, i64 1
  %88 = fmul float %86, %87
  %89 = fsub float %85, %88
  %90 = insertelement <2 x float> poison, float %89, i64 0
  %91 = fmul float %82, %87
  %92 = fmul float %86, %83
  %93 = fadd float %91, %92
  %94 = insertelement <2 x float> %90, float %93, i64 1
  br label %95

95:
  %96 = phi float [ %80, %78 ], [ %87, %81 ]
  %97 = phi float [ %79, %78 ], [ %83, %81 ]
  %98 = phi <2 x float> [ %73, %78 ], [ %94, %81 ]
  %99 = fmul float %97, %97
  %100 = fmul float %96, %96
  %101 = fsub float %99, %100
  %102 = insertelement <2 x float> poison, float %101, i64 0
  %103 = fmul float %96, %97
  %104 = fadd float %103, %103
  %105 = insertelement <2 x float> %102, float %104, i64 1
  %106 = lshr i64 %75, 1
  %107 = icmp eq i64 %106, 0
  br i1 %107, label %108, label %72

108:
  %109 = phi <2 x float> [ <float 1.000000e+00, float 0.000000e+00>, %64 ], [ %98, %95 ]
  ret <2 x float> %109
}
define internal <2 x float> @gradir.body._FortranAcpowk(float %0, float %1, i64 %2) {
3:
  %4 = icmp slt i64 %2, 0
  br i1 %4, label %5, label %64

5:
  %6 = call float @llvm.fabs.f32(float %0)
  %7 = call float @llvm.fabs.f32(float %1)
  %8 = call float @llvm.maxnum.f32(float %6, float %7)
  %9 = call float @logbf(float %8)
  %10 = call float @llvm.fabs.f32(float %9)
  %11 = fcmp ueq float %10, 0x7FF0000000000000
  br i1 %11, label %17, label %12

12:
  %13 = fptosi float %9 to i32
  %14 = sub nsw i32 0, %13
  %15 = call float @llvm.ldexp.f32.i32(float %0, i32 %14)
  %16 = call float @llvm.ldexp.f32.i32(float %1, i32 %14)
  br label %17

17:
  %18 = phi i32 [ %13, %12 ], [ 0, %5 ]
  %19 = phi float [ %16, %12 ], [ %1, %5 ]
  %20 = phi float [ %15, %12 ], [ %0, %5 ]
  %21 = fmul float %20, %20
  %22 = fmul float %19, %19
  %23 = fadd float %22, %21
  %24 = fmul float %19, 0.000000e+00
  %25 = fadd float %24, %20
  %26 = fdiv float %25, %23
  %27 = sub nsw i32 0, %18
  %28 = call float @llvm.ldexp.f32.i32(float %26, i32 %27)
  %29 = insertelement <2 x float> poison, float %28, i64 0
  %30 = fmul float %20, 0.000000e+00
  %31 = fsub float %30, %19
  %32 = fdiv float %31, %23
  %33 = call float @llvm.ldexp.f32.i32(float %32, i32 %27)
  %34 = insertelement <2 x float> %29, float %33, i64 1
  %35 = fcmp uno float %28, 0.000000e+00
  %36 = fcmp uno float %33, 0.000000e+00
  %37 = select i1 %35, i1 %36, i1 false
  br i1 %37, label %38, label %68

38:
  %39 = fcmp oeq float %23, 0.000000e+00
  br i1 %39, label %40, label %45

40:
  %41 = call float @llvm.copysign.f32(float 0x7FF0000000000000, float %20)
  %42 = fmul float %41, 0.000000e+00
  %43 = insertelement <2 x float> poison, float %41, i64 0
  %44 = insertelement <2 x float> %43, float %42, i64 1
  br label %68

45:
  %46 = fcmp une float %9, 0x7FF0000000000000
  br i1 %46, label %68, label %47

47:
  %48 = call float @llvm.fabs.f32(float %19)
  %49 = call float @llvm.fabs.f32(float %20)
  %50 = fcmp oeq float %49, 0x7FF0000000000000
  %51 = uitofp i1 %50 to float
  %52 = call float @llvm.copysign.f32(float %51, float %20)
  %53 = fcmp oeq float %48, 0x7FF0000000000000
  %54 = uitofp i1 %53 to float
  %55 = call float @llvm.copysign.f32(float %54, float %19)
  %56 = call float @llvm.copysign.f32(float 0.000000e+00, float %19)
  %57 = fadd float %56, %52
  %58 = fmul float %57, 0.000000e+00
  %59 = call float @llvm.copysign.f32(float 0.000000e+00, float %20)
  %60 = fsub float %59, %55
  %61 = fmul float %60, 0.000000e+00
  %62 = insertelement <2 x float> poison, float %58, i64 0
  %63 = insertelement <2 x float> %62, float %61, i64 1
  br label %68

64:
  %65 = insertelement <2 x float> poison, float %0, i64 0
  %66 = insertelement <2 x float> %65, float %1, i64 1
  %67 = icmp eq i64 %2, 0
  br i1 %67, label %107, label %68

68:
  %69 = phi <2 x float> [ %66, %64 ], [ %34, %17 ], [ %44, %40 ], [ %63, %47 ], [ %34, %45 ]
  %70 = call i64 @llvm.abs.i64(i64 %2, i1 false)
  br label %71

71:
  %72 = phi <2 x float> [ %97, %94 ], [ <float 1.000000e+00, float 0.000000e+00>, %68 ]
  %73 = phi <2 x float> [ %104, %94 ], [ %69, %68 ]
  %74 = phi i64 [ %105, %94 ], [ %70, %68 ]
  %75 = and i64 %74, 1
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %77, label %80

77:
  %78 = extractelement <2 x float> %73, i64 0
  %79 = extractelement <2 x float> %73, i64 1
  br label %94

80:
  %81 = extractelement <2 x float> %72, i64 0
  %82 = extractelement <2 x float> %73, i64 0
  %83 = fmul <2 x float> %72, %73
  %84 = extractelement <2 x float> %83, i64 0
  %85 = extractelement <2 x float> %72, i64 1
  %86 = extractelement <2 x float> %73, i64 1
  %87 = fmul float %85, %86
  %88 = fsub float %84, %87
  %89 = insertelement <2 x float> poison, float %88, i64 0
  %90 = fmul float %81, %86
  %91 = fmul float %85, %82
  %92 = fadd float %90, %91
  %93 = insertelement <2 x float> %89, float %92, i64 1
  br label %94

94:
  %95 = phi float [ %79, %77 ], [ %86, %80 ]
  %96 = phi float [ %78, %77 ], [ %82, %80 ]
  %97 = phi <2 x float> [ %72, %77 ], [ %93, %80 ]
  %98 = fmul float %96, %96
  %99 = fmul float %95, %95
  %100 = fsub float %98, %99
  %101 = insertelement <2 x float> poison, float %100, i64 0
  %102 = fmul float %95, %96
  %103 = fadd float %102, %102
  %104 = insertelement <2 x float> %101, float %103, i64 1
  %105 = lshr i64 %74, 1
  %106 = icmp eq i64 %105, 0
  br i1 %106, label %107, label %71

107:
  %108 = phi <2 x float> [ <float 1.000000e+00, float 0.000000e+00>, %64 ], [ %97, %94 ]
  ret <2 x float> %108
}
define internal ptr @gradir.s.new_tape() {
0:
  %1 = call ptr @calloc(i64 1, i64 40)
  ret ptr %1
}
define internal void @gradir.s.release(ptr %0) {
1:
  %2 = icmp eq ptr %0, null
  br i1 %2, label %9, label %3

3:
  %4 = load ptr, ptr %0, align 8
  call void @free(ptr %4)
  %5 = getelementptr inbounds i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  call void @free(ptr %6)
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = load ptr, ptr %7, align 8
  call void @free(ptr %8)
  call void @free(ptr %0)
  br label %9

9:
  ret void
}
define internal ptr @gradir.s.keep(i64 %0, ptr %1, i64 %2) {
3:
  %4 = icmp slt i64 %0, 1
  br i1 %4, label %21, label %5

5:
  %6 = shl i64 %0, 2
  %7 = call ptr @malloc(i64 %6)
  %8 = icmp slt i64 %2, 0
  %9 = sub nsw i64 1, %0
  %10 = mul i64 %2, %9
  %11 = select i1 %8, i64 %10, i64 0
  %12 = getelementptr inbounds float, ptr %1, i64 %11
  br label %13

13:
  %14 = phi i64 [ 0, %5 ], [ %19, %13 ]
  %15 = mul nsw i64 %14, %2
  %16 = getelementptr inbounds float, ptr %12, i64 %15
  %17 = load float, ptr %16, align 4
  %18 = getelementptr inbounds float, ptr %7, i64 %14
  store float %17, ptr %18, align 4
  %19 = add nsw i64 %14, 1
  %20 = icmp eq i64 %19, %0
  br i1 %20, label %21, label %13

21:
  %22 = phi ptr [ null, %3 ], [ %7, %13 ]
  ret ptr %22
}
define internal ptr @gradir.s.keep_matrix(i64 %0, i64 %1, ptr %2, i64 %3) {
4:
  %5 = icmp slt i64 %0, 1
  %6 = icmp slt i64 %1, 1
  %7 = or i1 %5, %6
  br i1 %7, label %28, label %8

8:
  %9 = shl i64 %0, 2
  %10 = mul i64 %9, %1
  %11 = call ptr @malloc(i64 %10)
  br label %12

12:
  %13 = phi i64 [ 0, %8 ], [ %19, %18 ]
  %14 = mul nsw i64 %13, %3
  %15 = getelementptr float, ptr %2, i64 %14
  %16 = mul nsw i64 %13, %0
  %17 = getelementptr float, ptr %11, i64 %16
  br label %21

18:
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %1
  br i1 %20, label %28, label %12

21:
  %22 = phi i64 [ 0, %12 ], [ %26, %21 ]
  %23 = getelementptr float, ptr %15, i64 %22
  %24 = load float, ptr %23, align 4
  %25 = getelementptr float, ptr %17, i64 %22
  store float %24, ptr %25, align 4
  %26 = add nsw i64 %22, 1
  %27 = icmp eq i64 %26, %0
  br i1 %27, label %18, label %21

28:
  %29 = phi ptr [ null, %4 ], [ %11, %18 ]
  ret ptr %29
}
define internal ptr @gradir.s.room(i64 %0, i64 %1) {
2:
  %3 = icmp sgt i64 %0, 0
  %4 = icmp sgt i64 %1, 0
  %5 = and i1 %3, %4
  br i1 %5, label %6, label %9

6:
  %7 = mul nsw i64 %1, %0
  %8 = call ptr @calloc(i64 %7, i64 4)
  br label %9

9:
  %10 = phi ptr [ %8, %6 ], [ null, %2 ]
  ret ptr %10
}
define internal float @gradir.s.inner(i64 %0, i64 %1, ptr %2, i64 %3, ptr %4, i64 %5) {
6:
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %8, label %18

8:
  %9 = icmp sgt i64 %0, 0
  br label %10

10:
  %11 = phi i64 [ 0, %8 ], [ %22, %20 ]
  %12 = phi float [ 0.000000e+00, %8 ], [ %21, %20 ]
  br i1 %9, label %13, label %20

13:
  %14 = mul nsw i64 %11, %3
  %15 = getelementptr float, ptr %2, i64 %14
  %16 = mul nsw i64 %11, %5
  %17 = getelementptr float, ptr %4, i64 %16
  br label %24

18:
  %19 = phi float [ 0.000000e+00, %6 ], [ %21, %20 ]
  ret float %19

20:
  %21 = phi float [ %12, %10 ], [ %32, %24 ]
  %22 = add nsw i64 %11, 1
  %23 = icmp eq i64 %22, %1
  br i1 %23, label %18, label %10

24:
  %25 = phi i64 [ 0, %13 ], [ %33, %24 ]
  %26 = phi float [ %12, %13 ], [ %32, %24 ]
  %27 = getelementptr float, ptr %15, i64 %25
  %28 = load float, ptr %27, align 4
  %29 = getelementptr float, ptr %17, i64 %25
  %30 = load float, ptr %29, align 4
  %31 = fmul float %28, %30
  %32 = fadd float %26, %31
  %33 = add nsw i64 %25, 1
  %34 = icmp eq i64 %33, %0
  br i1 %34, label %20, label %24
}
define internal void @gradir.s.add(i64 %0, i64 %1, float %2, ptr %3, i64 %4, ptr %5, i64 %6) {
7:
  %8 = icmp sgt i64 %1, 0
  br i1 %8, label %9, label %18

9:
  %10 = icmp sgt i64 %0, 0
  br label %11

11:
  %12 = phi i64 [ 0, %9 ], [ %20, %19 ]
  br i1 %10, label %13, label %19

13:
  %14 = mul nsw i64 %12, %4
  %15 = getelementptr float, ptr %3, i64 %14
  %16 = mul nsw i64 %12, %6
  %17 = getelementptr float, ptr %5, i64 %16
  br label %22

18:
  ret void

19:
  %20 = add nsw i64 %12, 1
  %21 = icmp eq i64 %20, %1
  br i1 %21, label %18, label %11

22:
  %23 = phi i64 [ 0, %13 ], [ %30, %22 ]
  %24 = getelementptr float, ptr %15, i64 %23
  %25 = load float, ptr %24, align 4
  %26 = fmul float %2, %25
  %27 = getelementptr float, ptr %17, i64 %23
  %28 = load float, ptr %27, align 4
  %29 = fadd float %28, %26
  store float %29, ptr %27, align 4
  %30 = add nsw i64 %23, 1
  %31 = icmp eq i64 %30, %0
  br i1 %31, label %19, label %22
}
define internal void @gradir.s.scale(i64 %0, i64 %1, float %2, ptr %3, i64 %4) {
5:
  %6 = icmp sgt i64 %1, 0
  br i1 %6, label %7, label %15

7:
  %8 = icmp sgt i64 %0, 0
  %9 = fcmp oeq float %2, 0.000000e+00
  br label %10

10:
  %11 = phi i64 [ 0, %7 ], [ %17, %16 ]
  br i1 %8, label %12, label %16

12:
  %13 = mul nsw i64 %11, %4
  %14 = getelementptr float, ptr %3, i64 %13
  br label %19

15:
  ret void

16:
  %17 = add nsw i64 %11, 1
  %18 = icmp eq i64 %17, %1
  br i1 %18, label %15, label %10

19:
  %20 = phi i64 [ 0, %12 ], [ %28, %25 ]
  br i1 %9, label %25, label %21

21:
  %22 = getelementptr float, ptr %14, i64 %20
  %23 = load float, ptr %22, align 4
  %24 = fmul float %2, %23
  br label %25

25:
  %26 = phi float [ %24, %21 ], [ 0.000000e+00, %19 ]
  %27 = getelementptr float, ptr %14, i64 %20
  store float %26, ptr %27, align 4
  %28 = add nsw i64 %20, 1
  %29 = icmp eq i64 %28, %0
  br i1 %29, label %16, label %19
}
define internal void @gradir.s.add_triangle(i8 %0, i8 %1, i64 %2, float %3, ptr %4, i64 %5, ptr %6, i64 %7) {
8:
  %9 = icmp sgt i64 %2, 0
  br i1 %9, label %10, label %21

10:
  %11 = and i8 %0, -33
  %12 = icmp eq i8 %11, 85
  %13 = and i8 %1, -33
  %14 = icmp eq i8 %13, 85
  br label %15

15:
  %16 = phi i64 [ 0, %10 ], [ %23, %22 ]
  %17 = mul nsw i64 %16, %5
  %18 = getelementptr float, ptr %4, i64 %17
  %19 = mul nsw i64 %16, %7
  %20 = getelementptr float, ptr %6, i64 %19
  br label %25

21:
  ret void

22:
  %23 = add nsw i64 %16, 1
  %24 = icmp eq i64 %23, %2
  br i1 %24, label %21, label %15

25:
  %26 = phi i64 [ 0, %15 ], [ %42, %41 ]
  %27 = icmp eq i64 %26, %16
  br i1 %27, label %33, label %28

28:
  br i1 %12, label %29, label %31

29:
  %30 = icmp ult i64 %26, %16
  br i1 %30, label %34, label %41

31:
  %32 = icmp ugt i64 %26, %16
  br i1 %32, label %34, label %41

33:
  br i1 %14, label %41, label %34

34:
  %35 = getelementptr float, ptr %18, i64 %26
  %36 = load float, ptr %35, align 4
  %37 = fmul float %3, %36
  %38 = getelementptr float, ptr %20, i64 %26
  %39 = load float, ptr %38, align 4
  %40 = fadd float %39, %37
  store float %40, ptr %38, align 4
  br label %41

41:
  %42 = add nsw i64 %26, 1
  %43 = icmp eq i64 %42, %2
  br i1 %43, label %22, label %25
}
define internal void @gradir.s.add_folded(i8 %0, i64 %1, float %2, ptr %3, i64 %4, ptr %5, i64 %6) {
7:
  %8 = icmp sgt i64 %1, 0
  br i1 %8, label %9, label %20

9:
  %10 = and i8 %0, -33
  %11 = icmp eq i8 %10, 85
  br label %12

12:
  %13 = phi i64 [ 0, %9 ], [ %22, %21 ]
  %14 = mul nsw i64 %13, %4
  %15 = getelementptr float, ptr %3, i64 %14
  %16 = getelementptr float, ptr %3, i64 %13
  %17 = mul nsw i64 %13, %6
  %18 = getelementptr float, ptr %5, i64 %17
  %19 = getelementptr float, ptr %15, i64 %13
  br label %24

20:
  ret void

21:
  %22 = add nsw i64 %13, 1
  %23 = icmp eq i64 %22, %1
  br i1 %23, label %20, label %12

24:
  %25 = phi i64 [ 0, %12 ], [ %47, %46 ]
  %26 = icmp eq i64 %25, %13
  br i1 %26, label %31, label %27

27:
  %28 = icmp ule i64 %25, %13
  %29 = icmp uge i64 %25, %13
  %30 = select i1 %11, i1 %29, i1 %28
  br i1 %30, label %46, label %33

31:
  %32 = load float, ptr %19, align 4
  br label %40

33:
  %34 = getelementptr float, ptr %15, i64 %25
  %35 = load float, ptr %34, align 4
  %36 = mul nsw i64 %25, %4
  %37 = getelementptr float, ptr %16, i64 %36
  %38 = load float, ptr %37, align 4
  %39 = fadd float %35, %38
  br label %40

40:
  %41 = phi float [ %32, %31 ], [ %39, %33 ]
  %42 = fmul float %2, %41
  %43 = getelementptr float, ptr %18, i64 %25
  %44 = load float, ptr %43, align 4
  %45 = fadd float %44, %42
  store float %45, ptr %43, align 4
  br label %46

46:
  %47 = add nsw i64 %25, 1
  %48 = icmp eq i64 %47, %1
  br i1 %48, label %21, label %24
}
define internal ptr @gradir.s.unfolded(i8 %0, i64 %1, ptr %2, i64 %3) {
4:
  %5 = call ptr @gradir.s.room(i64 %1, i64 %1)
  %6 = icmp sgt i64 %1, 0
  br i1 %6, label %7, label %17

7:
  %8 = and i8 %0, -33
  %9 = icmp eq i8 %8, 85
  br label %10

10:
  %11 = phi i64 [ 0, %7 ], [ %19, %18 ]
  %12 = mul nsw i64 %11, %3
  %13 = getelementptr float, ptr %2, i64 %12
  %14 = mul nsw i64 %11, %1
  %15 = getelementptr float, ptr %5, i64 %14
  %16 = getelementptr float, ptr %5, i64 %11
  br label %21

17:
  ret ptr %5

18:
  %19 = add nsw i64 %11, 1
  %20 = icmp eq i64 %19, %1
  br i1 %20, label %17, label %10

21:
  %22 = phi i64 [ 0, %10 ], [ %39, %38 ]
  %23 = icmp eq i64 %22, %11
  br i1 %23, label %28, label %24

24:
  %25 = icmp ule i64 %22, %11
  %26 = icmp uge i64 %22, %11
  %27 = select i1 %9, i1 %26, i1 %25
  br i1 %27, label %38, label %28

28:
  %29 = getelementptr float, ptr %13, i64 %22
  %30 = load float, ptr %29, align 4
  %31 = getelementptr float, ptr %15, i64 %22
  %32 = load float, ptr %31, align 4
  %33 = fadd float %30, %32
  store float %33, ptr %31, align 4
  %34 = mul nsw i64 %22, %1
  %35 = getelementptr float, ptr %16, i64 %34
  %36 = load float, ptr %35, align 4
  %37 = fadd float %30, %36
  store float %37, ptr %35, align 4
  br label %38

38:
  %39 = add nsw i64 %22, 1
  %40 = icmp eq i64 %39, %1
  br i1 %40, label %18, label %21
}
define internal ptr @gradir.s.dot.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  %9 = call float @gradir.s.blas.dot(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  store float %9, ptr %7, align 4
  %10 = call ptr @gradir.s.new_tape()
  %11 = icmp eq ptr %5, null
  br i1 %11, label %14, label %12

12:
  %13 = call ptr @gradir.s.keep(i64 %0, ptr %1, i64 %3)
  store ptr %13, ptr %10, align 8
  br label %14

14:
  %15 = icmp eq ptr %2, null
  br i1 %15, label %19, label %16

16:
  %17 = call ptr @gradir.s.keep(i64 %0, ptr %4, i64 %6)
  %18 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %17, ptr %18, align 8
  br label %19

19:
  ret ptr %10
}
declare float @gradir.s.blas.dot(i64, ptr, i64, ptr, i64)
define internal void @gradir.s.dot.reverse(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, float %7, ptr %8) {
9:
  %10 = icmp eq ptr %2, null
  br i1 %10, label %14, label %11

11:
  %12 = getelementptr inbounds i8, ptr %8, i64 8
  %13 = load ptr, ptr %12, align 8
  call void @gradir.s.blas.axpy(i64 %0, float %7, ptr %13, i64 1, ptr %2, i64 %3)
  br label %14

14:
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  %17 = load ptr, ptr %8, align 8
  call void @gradir.s.blas.axpy(i64 %0, float %7, ptr %17, i64 1, ptr %5, i64 %6)
  br label %18

18:
  call void @gradir.s.release(ptr %8)
  ret void
}
declare void @gradir.s.blas.axpy(i64, float, ptr, i64, ptr, i64)
define internal float @gradir.s.dot.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  %9 = call float @gradir.s.blas.dot(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  store float %9, ptr %7, align 4
  %10 = icmp eq ptr %2, null
  br i1 %10, label %13, label %11

11:
  %12 = call float @gradir.s.blas.dot(i64 %0, ptr %2, i64 %3, ptr %4, i64 %6)
  br label %13

13:
  %14 = phi float [ %12, %11 ], [ 0.000000e+00, %8 ]
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  %17 = call float @gradir.s.blas.dot(i64 %0, ptr %1, i64 %3, ptr %5, i64 %6)
  br label %18

18:
  %19 = phi float [ %17, %16 ], [ 0.000000e+00, %13 ]
  %20 = fadd float %14, %19
  ret float %20
}
define internal ptr @gradir.s.nrm2.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4) {
5:
  %6 = call float @gradir.s.blas.nrm2(i64 %0, ptr %1, i64 %3)
  store float %6, ptr %4, align 4
  %7 = call ptr @gradir.s.new_tape()
  %8 = icmp eq ptr %2, null
  br i1 %8, label %13, label %9

9:
  %10 = call ptr @gradir.s.keep(i64 %0, ptr %1, i64 %3)
  store ptr %10, ptr %7, align 8
  %11 = call ptr @gradir.s.keep(i64 1, ptr %4, i64 1)
  %12 = getelementptr inbounds i8, ptr %7, i64 8
  store ptr %11, ptr %12, align 8
  br label %13

13:
  ret ptr %7
}
declare float @gradir.s.blas.nrm2(i64, ptr, i64)
define internal void @gradir.s.nrm2.reverse(i64 %0, ptr %1, ptr %2, i64 %3, float %4, ptr %5) {
6:
  %7 = icmp ne ptr %2, null
  %8 = icmp sgt i64 %0, 0
  %9 = and i1 %8, %7
  br i1 %9, label %10, label %18

10:
  %11 = getelementptr inbounds i8, ptr %5, i64 8
  %12 = load ptr, ptr %11, align 8
  %13 = load float, ptr %12, align 4
  %14 = fcmp une float %13, 0.000000e+00
  br i1 %14, label %15, label %18

15:
  %16 = fdiv float %4, %13
  %17 = load ptr, ptr %5, align 8
  call void @gradir.s.blas.axpy(i64 %0, float %16, ptr %17, i64 1, ptr %2, i64 %3)
  br label %18

18:
  call void @gradir.s.release(ptr %5)
  ret void
}
define internal float @gradir.s.nrm2.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4) {
5:
  %6 = call float @gradir.s.blas.nrm2(i64 %0, ptr %1, i64 %3)
  store float %6, ptr %4, align 4
  %7 = icmp ne ptr %2, null
  %8 = fcmp une float %6, 0.000000e+00
  %9 = select i1 %7, i1 %8, i1 false
  br i1 %9, label %10, label %14

10:
  %11 = call float @gradir.s.blas.dot(i64 %0, ptr %1, i64 %3, ptr %2, i64 %3)
  %12 = load float, ptr %4, align 4
  %13 = fdiv float %11, %12
  br label %14

14:
  %15 = phi float [ %13, %10 ], [ 0.000000e+00, %5 ]
  ret float %15
}
define internal ptr @gradir.s.asum.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4) {
5:
  %6 = call float @gradir.s.blas.asum(i64 %0, ptr %1, i64 %3)
  store float %6, ptr %4, align 4
  %7 = call ptr @gradir.s.new_tape()
  %8 = icmp eq ptr %2, null
  br i1 %8, label %11, label %9

9:
  %10 = call ptr @gradir.s.keep(i64 %0, ptr %1, i64 %3)
  store ptr %10, ptr %7, align 8
  br label %11

11:
  ret ptr %7
}
declare float @gradir.s.blas.asum(i64, ptr, i64)
define internal void @gradir.s.asum.reverse(i64 %0, ptr %1, ptr %2, i64 %3, float %4, ptr %5) {
6:
  %7 = icmp ne ptr %2, null
  %8 = icmp sgt i64 %3, 0
  %9 = and i1 %7, %8
  br i1 %9, label %10, label %15

10:
  %11 = call i64 @llvm.smax.i64(i64 %0, i64 0)
  %12 = icmp slt i64 %0, 1
  br i1 %12, label %15, label %13

13:
  %14 = load ptr, ptr %5, align 8
  br label %16

15:
  call void @gradir.s.release(ptr %5)
  ret void

16:
  %17 = phi i64 [ %29, %16 ], [ 0, %13 ]
  %18 = getelementptr inbounds float, ptr %14, i64 %17
  %19 = load float, ptr %18, align 4
  %20 = fcmp ogt float %19, 0.000000e+00
  %21 = fcmp olt float %19, 0.000000e+00
  %22 = sitofp i1 %21 to float
  %23 = select i1 %20, float 1.000000e+00, float %22
  %24 = fmul float %4, %23
  %25 = mul nsw i64 %17, %3
  %26 = getelementptr inbounds float, ptr %2, i64 %25
  %27 = load float, ptr %26, align 4
  %28 = fadd float %27, %24
  store float %28, ptr %26, align 4
  %29 = add i64 %17, 1
  %30 = icmp eq i64 %29, %11
  br i1 %30, label %15, label %16
}
define internal float @gradir.s.asum.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4) {
5:
  %6 = call float @gradir.s.blas.asum(i64 %0, ptr %1, i64 %3)
  store float %6, ptr %4, align 4
  %7 = icmp eq ptr %2, null
  br i1 %7, label %12, label %8

8:
  %9 = icmp sgt i64 %3, 0
  %10 = icmp sgt i64 %0, 0
  %11 = and i1 %9, %10
  br i1 %11, label %14, label %12

12:
  %13 = phi float [ 0.000000e+00, %5 ], [ 0.000000e+00, %8 ], [ %27, %14 ]
  ret float %13

14:
  %15 = phi float [ %27, %14 ], [ 0.000000e+00, %8 ]
  %16 = phi i64 [ %28, %14 ], [ 0, %8 ]
  %17 = mul nsw i64 %16, %3
  %18 = getelementptr inbounds float, ptr %2, i64 %17
  %19 = load float, ptr %18, align 4
  %20 = getelementptr inbounds float, ptr %1, i64 %17
  %21 = load float, ptr %20, align 4
  %22 = fcmp ogt float %21, 0.000000e+00
  %23 = fcmp olt float %21, 0.000000e+00
  %24 = sitofp i1 %23 to float
  %25 = select i1 %22, float 1.000000e+00, float %24
  %26 = fmul float %19, %25
  %27 = fadd float %15, %26
  %28 = add nsw i64 %16, 1
  %29 = icmp slt i64 %28, %0
  %30 = and i1 %9, %29
  br i1 %30, label %14, label %12
}
define internal ptr @gradir.s.axpy.augmented(i64 %0, float %1, ptr %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8) {
9:
  %10 = call ptr @gradir.s.new_tape()
  %11 = icmp ne ptr %2, null
  %12 = icmp ne ptr %7, null
  %13 = and i1 %11, %12
  br i1 %13, label %14, label %16

14:
  %15 = call ptr @gradir.s.keep(i64 %0, ptr %3, i64 %5)
  store ptr %15, ptr %10, align 8
  br label %16

16:
  call void @gradir.s.blas.axpy(i64 %0, float %1, ptr %3, i64 %5, ptr %6, i64 %8)
  ret ptr %10
}
define internal void @gradir.s.axpy.reverse(i64 %0, float %1, ptr %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9) {
10:
  %11 = icmp ne ptr %7, null
  %12 = icmp ne ptr %2, null
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %19

14:
  %15 = load ptr, ptr %9, align 8
  %16 = call float @gradir.s.blas.dot(i64 %0, ptr %15, i64 1, ptr %7, i64 %8)
  %17 = load float, ptr %2, align 4
  %18 = fadd float %16, %17
  store float %18, ptr %2, align 4
  br label %19

19:
  %20 = icmp ne ptr %4, null
  %21 = and i1 %20, %11
  br i1 %21, label %22, label %23

22:
  call void @gradir.s.blas.axpy(i64 %0, float %1, ptr %7, i64 %8, ptr %4, i64 %5)
  br label %23

23:
  call void @gradir.s.release(ptr %9)
  ret void
}
define internal void @gradir.s.axpy.forward(i64 %0, float %1, float %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8) {
9:
  %10 = icmp ne ptr %7, null
  %11 = fcmp une float %2, 0.000000e+00
  %12 = and i1 %11, %10
  br i1 %12, label %13, label %14

13:
  call void @gradir.s.blas.axpy(i64 %0, float %2, ptr %3, i64 %5, ptr %7, i64 %8)
  br label %14

14:
  %15 = icmp ne ptr %4, null
  %16 = and i1 %15, %10
  br i1 %16, label %17, label %18

17:
  call void @gradir.s.blas.axpy(i64 %0, float %1, ptr %4, i64 %5, ptr %7, i64 %8)
  br label %18

18:
  call void @gradir.s.blas.axpy(i64 %0, float %1, ptr %3, i64 %5, ptr %6, i64 %8)
  ret void
}
define internal ptr @gradir.s.scal.augmented(i64 %0, float %1, ptr %2, ptr %3, ptr %4, i64 %5) {
6:
  %7 = call ptr @gradir.s.new_tape()
  %8 = icmp ne ptr %2, null
  %9 = icmp ne ptr %4, null
  %10 = and i1 %8, %9
  br i1 %10, label %11, label %13

11:
  %12 = call ptr @gradir.s.keep(i64 %0, ptr %3, i64 %5)
  store ptr %12, ptr %7, align 8
  br label %13

13:
  call void @gradir.s.blas.scal(i64 %0, float %1, ptr %3, i64 %5)
  ret ptr %7
}
declare void @gradir.s.blas.scal(i64, float, ptr, i64)
define internal void @gradir.s.scal.reverse(i64 %0, float %1, ptr %2, ptr %3, ptr %4, i64 %5, ptr %6) {
7:
  %8 = icmp ne ptr %4, null
  %9 = icmp ne ptr %2, null
  %10 = icmp sgt i64 %5, 0
  %11 = and i1 %9, %10
  %12 = and i1 %8, %11
  br i1 %12, label %13, label %18

13:
  %14 = load ptr, ptr %6, align 8
  %15 = call float @gradir.s.blas.dot(i64 %0, ptr %14, i64 1, ptr %4, i64 %5)
  %16 = load float, ptr %2, align 4
  %17 = fadd float %15, %16
  store float %17, ptr %2, align 4
  br label %19

18:
  br i1 %8, label %19, label %20

19:
  call void @gradir.s.blas.scal(i64 %0, float %1, ptr %4, i64 %5)
  br label %20

20:
  call void @gradir.s.release(ptr %6)
  ret void
}
define internal void @gradir.s.scal.forward(i64 %0, float %1, float %2, ptr %3, ptr %4, i64 %5) {
6:
  %7 = icmp eq ptr %4, null
  br i1 %7, label %13, label %8

8:
  call void @gradir.s.blas.scal(i64 %0, float %1, ptr %4, i64 %5)
  %9 = fcmp une float %2, 0.000000e+00
  %10 = icmp sgt i64 %5, 0
  %11 = and i1 %9, %10
  br i1 %11, label %12, label %13

12:
  call void @gradir.s.blas.axpy(i64 %0, float %2, ptr %3, i64 %5, ptr %4, i64 %5)
  br label %13

13:
  call void @gradir.s.blas.scal(i64 %0, float %1, ptr %3, i64 %5)
  ret void
}
define internal void @gradir.s.scale_vector(i64 %0, float %1, ptr %2, i64 %3) {
4:
  %5 = call i64 @llvm.abs.i64(i64 %3, i1 true)
  call void @gradir.s.blas.scal(i64 %0, float %1, ptr %2, i64 %5)
  ret void
}
define internal void @gradir.s.clear(i64 %0, ptr %1, i64 %2) {
3:
  %4 = icmp slt i64 %2, 0
  %5 = sub i64 1, %0
  %6 = mul i64 %2, %5
  %7 = select i1 %4, i64 %6, i64 0
  %8 = getelementptr inbounds float, ptr %1, i64 %7
  %9 = icmp sgt i64 %0, 0
  br i1 %9, label %11, label %10

10:
  ret void

11:
  %12 = phi i64 [ %15, %11 ], [ 0, %3 ]
  %13 = mul nsw i64 %12, %2
  %14 = getelementptr inbounds float, ptr %8, i64 %13
  store float 0.000000e+00, ptr %14, align 4
  %15 = add nsw i64 %12, 1
  %16 = icmp eq i64 %15, %0
  br i1 %16, label %10, label %11
}
define internal ptr @gradir.s.copy.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6) {
7:
  call void @gradir.s.blas.copy(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  ret ptr null
}
declare void @gradir.s.blas.copy(i64, ptr, i64, ptr, i64)
define internal void @gradir.s.copy.reverse(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  %9 = icmp eq ptr %5, null
  br i1 %9, label %14, label %10

10:
  %11 = icmp eq ptr %2, null
  br i1 %11, label %13, label %12

12:
  call void @gradir.s.blas.axpy(i64 %0, float 1.000000e+00, ptr %5, i64 %6, ptr %2, i64 %3)
  br label %13

13:
  call void @gradir.s.clear(i64 %0, ptr %5, i64 %6)
  br label %14

14:
  ret void
}
define internal void @gradir.s.copy.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6) {
7:
  %8 = icmp ne ptr %5, null
  %9 = icmp ne ptr %2, null
  %10 = and i1 %9, %8
  br i1 %10, label %11, label %12

11:
  call void @gradir.s.blas.copy(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6)
  br label %16

12:
  %13 = icmp eq ptr %5, null
  %14 = or i1 %9, %13
  br i1 %14, label %16, label %15

15:
  call void @gradir.s.clear(i64 %0, ptr %5, i64 %6)
  br label %16

16:
  call void @gradir.s.blas.copy(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  ret void
}
define internal void @gradir.s.swap_shadows(i64 %0, ptr %1, i64 %2, ptr %3, i64 %4) {
5:
  %6 = icmp ne ptr %1, null
  %7 = icmp ne ptr %3, null
  %8 = and i1 %6, %7
  br i1 %8, label %9, label %10

9:
  call void @gradir.s.blas.swap(i64 %0, ptr %1, i64 %2, ptr %3, i64 %4)
  br label %14

10:
  br i1 %6, label %11, label %12

11:
  call void @gradir.s.clear(i64 %0, ptr %1, i64 %2)
  br label %14

12:
  br i1 %7, label %13, label %14

13:
  call void @gradir.s.clear(i64 %0, ptr %3, i64 %4)
  br label %14

14:
  ret void
}
declare void @gradir.s.blas.swap(i64, ptr, i64, ptr, i64)
define internal ptr @gradir.s.swap.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6) {
7:
  call void @gradir.s.blas.swap(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  ret ptr null
}
define internal void @gradir.s.swap.reverse(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  call void @gradir.s.swap_shadows(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6)
  ret void
}
define internal void @gradir.s.swap.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6) {
7:
  call void @gradir.s.swap_shadows(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6)
  call void @gradir.s.blas.swap(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6)
  ret void
}
define internal void @gradir.s.rotate_shadows(i64 %0, ptr %1, i64 %2, ptr %3, i64 %4, float %5, float %6) {
7:
  %8 = icmp ne ptr %1, null
  %9 = icmp ne ptr %3, null
  %10 = and i1 %8, %9
  br i1 %10, label %11, label %12

11:
  call void @gradir.s.blas.rot(i64 %0, ptr %1, i64 %2, ptr %3, i64 %4, float %5, float %6)
  br label %16

12:
  br i1 %8, label %13, label %14

13:
  call void @gradir.s.scale_vector(i64 %0, float %5, ptr %1, i64 %2)
  br label %16

14:
  br i1 %9, label %15, label %16

15:
  call void @gradir.s.scale_vector(i64 %0, float %5, ptr %3, i64 %4)
  br label %16

16:
  ret void
}
declare void @gradir.s.blas.rot(i64, ptr, i64, ptr, i64, float, float)
define internal ptr @gradir.s.rot.augmented(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, float %7, ptr %8, float %9, ptr %10) {
11:
  %12 = call ptr @gradir.s.new_tape()
  %13 = icmp ne ptr %8, null
  %14 = icmp ne ptr %10, null
  %15 = or i1 %13, %14
  br i1 %15, label %16, label %24

16:
  %17 = icmp ne ptr %2, null
  %18 = icmp ne ptr %5, null
  %19 = or i1 %17, %18
  br i1 %19, label %20, label %24

20:
  %21 = call ptr @gradir.s.keep(i64 %0, ptr %1, i64 %3)
  store ptr %21, ptr %12, align 8
  %22 = call ptr @gradir.s.keep(i64 %0, ptr %4, i64 %6)
  %23 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %22, ptr %23, align 8
  br label %24

24:
  call void @gradir.s.blas.rot(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6, float %7, float %9)
  ret ptr %12
}
define internal void @gradir.s.rot.reverse(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, float %7, ptr %8, float %9, ptr %10, ptr %11) {
12:
  %13 = icmp ne ptr %8, null
  %14 = icmp ne ptr %2, null
  %15 = and i1 %14, %13
  br i1 %15, label %16, label %21

16:
  %17 = load ptr, ptr %11, align 8
  %18 = call float @gradir.s.blas.dot(i64 %0, ptr %2, i64 %3, ptr %17, i64 1)
  %19 = load float, ptr %8, align 4
  %20 = fadd float %18, %19
  store float %20, ptr %8, align 4
  br label %21

21:
  %22 = icmp ne ptr %5, null
  %23 = and i1 %22, %13
  br i1 %23, label %24, label %30

24:
  %25 = getelementptr inbounds i8, ptr %11, i64 8
  %26 = load ptr, ptr %25, align 8
  %27 = call float @gradir.s.blas.dot(i64 %0, ptr %5, i64 %6, ptr %26, i64 1)
  %28 = load float, ptr %8, align 4
  %29 = fadd float %27, %28
  store float %29, ptr %8, align 4
  br label %30

30:
  %31 = icmp ne ptr %10, null
  %32 = and i1 %14, %31
  br i1 %32, label %33, label %39

33:
  %34 = getelementptr inbounds i8, ptr %11, i64 8
  %35 = load ptr, ptr %34, align 8
  %36 = call float @gradir.s.blas.dot(i64 %0, ptr %2, i64 %3, ptr %35, i64 1)
  %37 = load float, ptr %10, align 4
  %38 = fadd float %36, %37
  store float %38, ptr %10, align 4
  br label %39

39:
  %40 = and i1 %22, %31
  br i1 %40, label %41, label %46

41:
  %42 = load ptr, ptr %11, align 8
  %43 = call float @gradir.s.blas.dot(i64 %0, ptr %5, i64 %6, ptr %42, i64 1)
  %44 = load float, ptr %10, align 4
  %45 = fsub float %44, %43
  store float %45, ptr %10, align 4
  br label %46

46:
  %47 = fneg float %9
  call void @gradir.s.rotate_shadows(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6, float %7, float %47)
  call void @gradir.s.release(ptr %11)
  ret void
}
define internal void @gradir.s.rot.forward(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, float %7, float %8, float %9, float %10) {
11:
  call void @gradir.s.rotate_shadows(i64 %0, ptr %2, i64 %3, ptr %5, i64 %6, float %7, float %9)
  %12 = icmp eq ptr %2, null
  br i1 %12, label %14, label %13

13:
  call void @gradir.s.blas.axpy(i64 %0, float %8, ptr %1, i64 %3, ptr %2, i64 %3)
  call void @gradir.s.blas.axpy(i64 %0, float %10, ptr %4, i64 %6, ptr %2, i64 %3)
  br label %14

14:
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  call void @gradir.s.blas.axpy(i64 %0, float %8, ptr %4, i64 %6, ptr %5, i64 %6)
  %17 = fneg float %10
  call void @gradir.s.blas.axpy(i64 %0, float %17, ptr %1, i64 %3, ptr %5, i64 %6)
  br label %18

18:
  call void @gradir.s.blas.rot(i64 %0, ptr %1, i64 %3, ptr %4, i64 %6, float %7, float %9)
  ret void
}
define internal ptr @gradir.s.gemv.augmented(i8 %0, i64 %1, i64 %2, float %3, ptr %4, ptr %5, ptr %6, i64 %7, ptr %8, ptr %9, i64 %10, float %11, ptr %12, ptr %13, ptr %14, i64 %15) {
16:
  %17 = call ptr @gradir.s.new_tape()
  %18 = and i8 %0, -33
  %19 = icmp eq i8 %18, 78
  %20 = select i1 %19, i64 %2, i64 %1
  %21 = select i1 %19, i64 %1, i64 %2
  %22 = icmp eq ptr %14, null
  br i1 %22, label %40, label %23

23:
  %24 = icmp ne ptr %9, null
  %25 = icmp ne ptr %4, null
  %26 = or i1 %25, %24
  br i1 %26, label %27, label %29

27:
  %28 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %2, ptr %5, i64 %7)
  store ptr %28, ptr %17, align 8
  br label %29

29:
  %30 = icmp ne ptr %6, null
  %31 = or i1 %25, %30
  br i1 %31, label %32, label %35

32:
  %33 = call ptr @gradir.s.keep(i64 %20, ptr %8, i64 %10)
  %34 = getelementptr inbounds i8, ptr %17, i64 8
  store ptr %33, ptr %34, align 8
  br label %35

35:
  %36 = icmp eq ptr %12, null
  br i1 %36, label %40, label %37

37:
  %38 = call ptr @gradir.s.keep(i64 %21, ptr %13, i64 %15)
  %39 = getelementptr inbounds i8, ptr %17, i64 16
  store ptr %38, ptr %39, align 8
  br label %40

40:
  call void @gradir.s.blas.gemv(i8 %0, i64 %1, i64 %2, float %3, ptr %5, i64 %7, ptr %8, i64 %10, float %11, ptr %13, i64 %15)
  ret ptr %17
}
declare void @gradir.s.blas.gemv(i8, i64, i64, float, ptr, i64, ptr, i64, float, ptr, i64)
define internal void @gradir.s.gemv.reverse(i8 %0, i64 %1, i64 %2, float %3, ptr %4, ptr %5, ptr %6, i64 %7, ptr %8, ptr %9, i64 %10, float %11, ptr %12, ptr %13, ptr %14, i64 %15, ptr %16) {
17:
  %18 = and i8 %0, -33
  %19 = icmp eq i8 %18, 78
  %20 = select i1 %19, i64 %2, i64 %1
  %21 = select i1 %19, i64 %1, i64 %2
  %22 = icmp ne ptr %14, null
  %23 = icmp sgt i64 %1, 0
  %24 = and i1 %23, %22
  %25 = icmp sgt i64 %2, 0
  %26 = and i1 %25, %24
  br i1 %26, label %27, label %60

27:
  %28 = icmp ne ptr %9, null
  %29 = icmp ne ptr %4, null
  %30 = or i1 %29, %28
  br i1 %30, label %31, label %44

31:
  %32 = call ptr @gradir.s.room(i64 %20, i64 1)
  %33 = select i1 %19, i8 84, i8 78
  %34 = load ptr, ptr %16, align 8
  call void @gradir.s.blas.gemv(i8 %33, i64 %1, i64 %2, float 1.000000e+00, ptr %34, i64 %1, ptr %14, i64 %15, float 0.000000e+00, ptr %32, i64 1)
  br i1 %28, label %35, label %36

35:
  call void @gradir.s.blas.axpy(i64 %20, float %3, ptr %32, i64 1, ptr %9, i64 %10)
  br label %36

36:
  br i1 %29, label %37, label %43

37:
  %38 = getelementptr inbounds i8, ptr %16, i64 8
  %39 = load ptr, ptr %38, align 8
  %40 = call float @gradir.s.blas.dot(i64 %20, ptr %32, i64 1, ptr %39, i64 1)
  %41 = load float, ptr %4, align 4
  %42 = fadd float %40, %41
  store float %42, ptr %4, align 4
  br label %43

43:
  call void @free(ptr %32)
  br label %44

44:
  %45 = icmp eq ptr %6, null
  br i1 %45, label %51, label %46

46:
  %47 = getelementptr inbounds i8, ptr %16, i64 8
  %48 = load ptr, ptr %47, align 8
  br i1 %19, label %50, label %49

49:
  call void @gradir.s.blas.ger(i64 %1, i64 %2, float %3, ptr %48, i64 1, ptr %14, i64 %15, ptr %6, i64 %7)
  br label %51

50:
  call void @gradir.s.blas.ger(i64 %1, i64 %2, float %3, ptr %14, i64 %15, ptr %48, i64 1, ptr %6, i64 %7)
  br label %51

51:
  %52 = icmp eq ptr %12, null
  br i1 %52, label %59, label %53

53:
  %54 = getelementptr inbounds i8, ptr %16, i64 16
  %55 = load ptr, ptr %54, align 8
  %56 = call float @gradir.s.blas.dot(i64 %21, ptr %55, i64 1, ptr %14, i64 %15)
  %57 = load float, ptr %12, align 4
  %58 = fadd float %56, %57
  store float %58, ptr %12, align 4
  br label %59

59:
  call void @gradir.s.scale_vector(i64 %21, float %11, ptr %14, i64 %15)
  br label %60

60:
  call void @gradir.s.release(ptr %16)
  ret void
}
declare void @gradir.s.blas.ger(i64, i64, float, ptr, i64, ptr, i64, ptr, i64)
define internal void @gradir.s.gemv.forward(i8 %0, i64 %1, i64 %2, float %3, float %4, ptr %5, ptr %6, i64 %7, ptr %8, ptr %9, i64 %10, float %11, float %12, ptr %13, ptr %14, i64 %15) {
16:
  %17 = icmp ne ptr %14, null
  %18 = icmp sgt i64 %1, 0
  %19 = and i1 %18, %17
  %20 = icmp sgt i64 %2, 0
  %21 = and i1 %20, %19
  br i1 %21, label %22, label %37

22:
  %23 = and i8 %0, -33
  %24 = icmp eq i8 %23, 78
  %25 = select i1 %24, i64 %1, i64 %2
  call void @gradir.s.scale_vector(i64 %25, float %11, ptr %14, i64 %15)
  %26 = fcmp une float %12, 0.000000e+00
  br i1 %26, label %27, label %28

27:
  call void @gradir.s.blas.axpy(i64 %25, float %12, ptr %13, i64 %15, ptr %14, i64 %15)
  br label %28

28:
  %29 = fcmp une float %4, 0.000000e+00
  br i1 %29, label %30, label %31

30:
  call void @gradir.s.blas.gemv(i8 %0, i64 %1, i64 %2, float %4, ptr %5, i64 %7, ptr %8, i64 %10, float 1.000000e+00, ptr %14, i64 %15)
  br label %31

31:
  %32 = icmp eq ptr %6, null
  br i1 %32, label %34, label %33

33:
  call void @gradir.s.blas.gemv(i8 %0, i64 %1, i64 %2, float %3, ptr %6, i64 %7, ptr %8, i64 %10, float 1.000000e+00, ptr %14, i64 %15)
  br label %34

34:
  %35 = icmp eq ptr %9, null
  br i1 %35, label %37, label %36

36:
  call void @gradir.s.blas.gemv(i8 %0, i64 %1, i64 %2, float %3, ptr %5, i64 %7, ptr %9, i64 %10, float 1.000000e+00, ptr %14, i64 %15)
  br label %37

37:
  call void @gradir.s.blas.gemv(i8 %0, i64 %1, i64 %2, float %3, ptr %5, i64 %7, ptr %8, i64 %10, float %11, ptr %13, i64 %15)
  ret void
}
define internal ptr @gradir.s.symv.augmented(i8 %0, i64 %1, float %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, float %10, ptr %11, ptr %12, ptr %13, i64 %14) {
15:
  %16 = call ptr @gradir.s.new_tape()
  %17 = icmp eq ptr %13, null
  br i1 %17, label %35, label %18

18:
  %19 = icmp ne ptr %8, null
  %20 = icmp ne ptr %3, null
  %21 = or i1 %20, %19
  br i1 %21, label %22, label %24

22:
  %23 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %1, ptr %4, i64 %6)
  store ptr %23, ptr %16, align 8
  br label %24

24:
  %25 = icmp ne ptr %5, null
  %26 = or i1 %20, %25
  br i1 %26, label %27, label %30

27:
  %28 = call ptr @gradir.s.keep(i64 %1, ptr %7, i64 %9)
  %29 = getelementptr inbounds i8, ptr %16, i64 8
  store ptr %28, ptr %29, align 8
  br label %30

30:
  %31 = icmp eq ptr %11, null
  br i1 %31, label %35, label %32

32:
  %33 = call ptr @gradir.s.keep(i64 %1, ptr %12, i64 %14)
  %34 = getelementptr inbounds i8, ptr %16, i64 16
  store ptr %33, ptr %34, align 8
  br label %35

35:
  call void @gradir.s.blas.symv(i8 %0, i64 %1, float %2, ptr %4, i64 %6, ptr %7, i64 %9, float %10, ptr %12, i64 %14)
  ret ptr %16
}
declare void @gradir.s.blas.symv(i8, i64, float, ptr, i64, ptr, i64, float, ptr, i64)
define internal void @gradir.s.symv.reverse(i8 %0, i64 %1, float %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, float %10, ptr %11, ptr %12, ptr %13, i64 %14, ptr %15) {
16:
  %17 = icmp ne ptr %13, null
  %18 = icmp sgt i64 %1, 0
  %19 = and i1 %18, %17
  br i1 %19, label %20, label %52

20:
  %21 = call ptr @gradir.s.keep(i64 %1, ptr %13, i64 %14)
  %22 = icmp ne ptr %8, null
  %23 = icmp ne ptr %3, null
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %37

25:
  %26 = call ptr @gradir.s.room(i64 %1, i64 1)
  %27 = load ptr, ptr %15, align 8
  call void @gradir.s.blas.symv(i8 %0, i64 %1, float 1.000000e+00, ptr %27, i64 %1, ptr %21, i64 1, float 0.000000e+00, ptr %26, i64 1)
  br i1 %22, label %28, label %29

28:
  call void @gradir.s.blas.axpy(i64 %1, float %2, ptr %26, i64 1, ptr %8, i64 %9)
  br label %29

29:
  br i1 %23, label %30, label %36

30:
  %31 = getelementptr inbounds i8, ptr %15, i64 8
  %32 = load ptr, ptr %31, align 8
  %33 = call float @gradir.s.blas.dot(i64 %1, ptr %26, i64 1, ptr %32, i64 1)
  %34 = load float, ptr %3, align 4
  %35 = fadd float %33, %34
  store float %35, ptr %3, align 4
  br label %36

36:
  call void @free(ptr %26)
  br label %37

37:
  %38 = icmp eq ptr %5, null
  br i1 %38, label %43, label %39

39:
  %40 = call ptr @gradir.s.room(i64 %1, i64 %1)
  %41 = getelementptr inbounds i8, ptr %15, i64 8
  %42 = load ptr, ptr %41, align 8
  call void @gradir.s.blas.ger(i64 %1, i64 %1, float 1.000000e+00, ptr %21, i64 1, ptr %42, i64 1, ptr %40, i64 %1)
  call void @gradir.s.add_folded(i8 %0, i64 %1, float %2, ptr %40, i64 %1, ptr %5, i64 %6)
  call void @free(ptr %40)
  br label %43

43:
  %44 = icmp eq ptr %11, null
  br i1 %44, label %51, label %45

45:
  %46 = getelementptr inbounds i8, ptr %15, i64 16
  %47 = load ptr, ptr %46, align 8
  %48 = call float @gradir.s.blas.dot(i64 %1, ptr %47, i64 1, ptr %21, i64 1)
  %49 = load float, ptr %11, align 4
  %50 = fadd float %48, %49
  store float %50, ptr %11, align 4
  br label %51

51:
  call void @gradir.s.scale_vector(i64 %1, float %10, ptr %13, i64 %14)
  call void @free(ptr %21)
  br label %52

52:
  call void @gradir.s.release(ptr %15)
  ret void
}
define internal void @gradir.s.symv.forward(i8 %0, i64 %1, float %2, float %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, float %10, float %11, ptr %12, ptr %13, i64 %14) {
15:
  %16 = icmp eq ptr %13, null
  br i1 %16, label %29, label %17

17:
  call void @gradir.s.scale_vector(i64 %1, float %10, ptr %13, i64 %14)
  %18 = fcmp une float %11, 0.000000e+00
  br i1 %18, label %19, label %20

19:
  call void @gradir.s.blas.axpy(i64 %1, float %11, ptr %12, i64 %14, ptr %13, i64 %14)
  br label %20

20:
  %21 = fcmp une float %3, 0.000000e+00
  br i1 %21, label %22, label %23

22:
  call void @gradir.s.blas.symv(i8 %0, i64 %1, float %3, ptr %4, i64 %6, ptr %7, i64 %9, float 1.000000e+00, ptr %13, i64 %14)
  br label %23

23:
  %24 = icmp eq ptr %5, null
  br i1 %24, label %26, label %25

25:
  call void @gradir.s.blas.symv(i8 %0, i64 %1, float %2, ptr %5, i64 %6, ptr %7, i64 %9, float 1.000000e+00, ptr %13, i64 %14)
  br label %26

26:
  %27 = icmp eq ptr %8, null
  br i1 %27, label %29, label %28

28:
  call void @gradir.s.blas.symv(i8 %0, i64 %1, float %2, ptr %4, i64 %6, ptr %8, i64 %9, float 1.000000e+00, ptr %13, i64 %14)
  br label %29

29:
  call void @gradir.s.blas.symv(i8 %0, i64 %1, float %2, ptr %4, i64 %6, ptr %7, i64 %9, float %10, ptr %12, i64 %14)
  ret void
}
define internal void @gradir.s.add_outer(i8 %0, i8 %1, i8 %2, i64 %3, float %4, ptr %5, ptr %6, ptr %7, i64 %8) {
9:
  %10 = call ptr @gradir.s.room(i64 %3, i64 %3)
  %11 = and i8 %1, -33
  %12 = icmp eq i8 %11, 78
  %13 = select i1 %12, ptr %5, ptr %6
  %14 = select i1 %12, ptr %6, ptr %5
  call void @gradir.s.blas.ger(i64 %3, i64 %3, float %4, ptr %13, i64 1, ptr %14, i64 1, ptr %10, i64 %3)
  call void @gradir.s.add_triangle(i8 %0, i8 %2, i64 %3, float 1.000000e+00, ptr %10, i64 %3, ptr %7, i64 %8)
  call void @free(ptr %10)
  ret void
}
define internal ptr @gradir.s.trmv.augmented(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = call ptr @gradir.s.new_tape()
  %12 = icmp eq ptr %8, null
  br i1 %12, label %19, label %13

13:
  %14 = call ptr @gradir.s.keep_matrix(i64 %3, i64 %3, ptr %4, i64 %6)
  store ptr %14, ptr %11, align 8
  %15 = icmp eq ptr %5, null
  br i1 %15, label %19, label %16

16:
  %17 = call ptr @gradir.s.keep(i64 %3, ptr %7, i64 %9)
  %18 = getelementptr inbounds i8, ptr %11, i64 8
  store ptr %17, ptr %18, align 8
  br label %19

19:
  call void @gradir.s.blas.trmv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  ret ptr %11
}
declare void @gradir.s.blas.trmv(i8, i8, i8, i64, ptr, i64, ptr, i64)
define internal void @gradir.s.trmv.reverse(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = icmp ne ptr %8, null
  %13 = icmp sgt i64 %3, 0
  %14 = and i1 %13, %12
  br i1 %14, label %15, label %26

15:
  %16 = call ptr @gradir.s.keep(i64 %3, ptr %8, i64 %9)
  %17 = icmp eq ptr %5, null
  br i1 %17, label %21, label %18

18:
  %19 = getelementptr inbounds i8, ptr %10, i64 8
  %20 = load ptr, ptr %19, align 8
  call void @gradir.s.add_outer(i8 %0, i8 %1, i8 %2, i64 %3, float 1.000000e+00, ptr %16, ptr %20, ptr %5, i64 %6)
  br label %21

21:
  %22 = and i8 %1, -33
  %23 = icmp eq i8 %22, 78
  %24 = select i1 %23, i8 84, i8 78
  %25 = load ptr, ptr %10, align 8
  call void @gradir.s.blas.trmv(i8 %0, i8 %24, i8 %2, i64 %3, ptr %25, i64 %3, ptr %8, i64 %9)
  call void @free(ptr %16)
  br label %26

26:
  call void @gradir.s.release(ptr %10)
  ret void
}
define internal ptr @gradir.s.triangle(i8 %0, i8 %1, i64 %2, ptr %3, i64 %4) {
5:
  %6 = call ptr @gradir.s.room(i64 %2, i64 %2)
  call void @gradir.s.add_triangle(i8 %0, i8 %1, i64 %2, float 1.000000e+00, ptr %3, i64 %4, ptr %6, i64 %2)
  ret ptr %6
}
define internal void @gradir.s.trmv.forward(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = icmp ne ptr %8, null
  %12 = icmp sgt i64 %3, 0
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %18

14:
  call void @gradir.s.blas.trmv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %8, i64 %9)
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  %17 = call ptr @gradir.s.triangle(i8 %0, i8 %2, i64 %3, ptr %5, i64 %6)
  call void @gradir.s.blas.gemv(i8 %1, i64 %3, i64 %3, float 1.000000e+00, ptr %17, i64 %3, ptr %7, i64 %9, float 1.000000e+00, ptr %8, i64 %9)
  call void @free(ptr %17)
  br label %18

18:
  call void @gradir.s.blas.trmv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  ret void
}
define internal ptr @gradir.s.trsv.augmented(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = call ptr @gradir.s.new_tape()
  %12 = icmp eq ptr %8, null
  br i1 %12, label %13, label %14

13:
  call void @gradir.s.blas.trsv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  br label %20

14:
  %15 = call ptr @gradir.s.keep_matrix(i64 %3, i64 %3, ptr %4, i64 %6)
  store ptr %15, ptr %11, align 8
  call void @gradir.s.blas.trsv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  %16 = icmp eq ptr %5, null
  br i1 %16, label %20, label %17

17:
  %18 = call ptr @gradir.s.keep(i64 %3, ptr %7, i64 %9)
  %19 = getelementptr inbounds i8, ptr %11, i64 8
  store ptr %18, ptr %19, align 8
  br label %20

20:
  ret ptr %11
}
declare void @gradir.s.blas.trsv(i8, i8, i8, i64, ptr, i64, ptr, i64)
define internal void @gradir.s.trsv.reverse(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = icmp ne ptr %8, null
  %13 = icmp sgt i64 %3, 0
  %14 = and i1 %13, %12
  br i1 %14, label %15, label %25

15:
  %16 = and i8 %1, -33
  %17 = icmp eq i8 %16, 78
  %18 = select i1 %17, i8 84, i8 78
  %19 = load ptr, ptr %10, align 8
  call void @gradir.s.blas.trsv(i8 %0, i8 %18, i8 %2, i64 %3, ptr %19, i64 %3, ptr %8, i64 %9)
  %20 = icmp eq ptr %5, null
  br i1 %20, label %25, label %21

21:
  %22 = call ptr @gradir.s.keep(i64 %3, ptr %8, i64 %9)
  %23 = getelementptr inbounds i8, ptr %10, i64 8
  %24 = load ptr, ptr %23, align 8
  call void @gradir.s.add_outer(i8 %0, i8 %1, i8 %2, i64 %3, float -1.000000e+00, ptr %22, ptr %24, ptr %5, i64 %6)
  call void @free(ptr %22)
  br label %25

25:
  call void @gradir.s.release(ptr %10)
  ret void
}
define internal void @gradir.s.trsv.forward(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  call void @gradir.s.blas.trsv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, i64 %9)
  %11 = icmp eq ptr %8, null
  %12 = icmp slt i64 %3, 1
  %13 = or i1 %12, %11
  br i1 %13, label %19, label %14

14:
  %15 = icmp eq ptr %5, null
  br i1 %15, label %18, label %16

16:
  %17 = call ptr @gradir.s.triangle(i8 %0, i8 %2, i64 %3, ptr %5, i64 %6)
  call void @gradir.s.blas.gemv(i8 %1, i64 %3, i64 %3, float -1.000000e+00, ptr %17, i64 %3, ptr %7, i64 %9, float 1.000000e+00, ptr %8, i64 %9)
  call void @free(ptr %17)
  br label %18

18:
  call void @gradir.s.blas.trsv(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %8, i64 %9)
  br label %19

19:
  ret void
}
define internal ptr @gradir.s.ger.augmented(i64 %0, i64 %1, float %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12) {
13:
  %14 = call ptr @gradir.s.new_tape()
  %15 = icmp eq ptr %11, null
  br i1 %15, label %28, label %16

16:
  %17 = icmp ne ptr %8, null
  %18 = icmp ne ptr %3, null
  %19 = or i1 %18, %17
  br i1 %19, label %20, label %22

20:
  %21 = call ptr @gradir.s.keep(i64 %0, ptr %4, i64 %6)
  store ptr %21, ptr %14, align 8
  br label %22

22:
  %23 = icmp ne ptr %5, null
  %24 = or i1 %18, %23
  br i1 %24, label %25, label %28

25:
  %26 = call ptr @gradir.s.keep(i64 %1, ptr %7, i64 %9)
  %27 = getelementptr inbounds i8, ptr %14, i64 8
  store ptr %26, ptr %27, align 8
  br label %28

28:
  call void @gradir.s.blas.ger(i64 %0, i64 %1, float %2, ptr %4, i64 %6, ptr %7, i64 %9, ptr %10, i64 %12)
  ret ptr %14
}
define internal void @gradir.s.ger.reverse(i64 %0, i64 %1, float %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12, ptr %13) {
14:
  %15 = icmp ne ptr %11, null
  %16 = icmp sgt i64 %0, 0
  %17 = and i1 %16, %15
  %18 = icmp sgt i64 %1, 0
  %19 = and i1 %18, %17
  br i1 %19, label %20, label %39

20:
  %21 = icmp eq ptr %5, null
  br i1 %21, label %25, label %22

22:
  %23 = getelementptr inbounds i8, ptr %13, i64 8
  %24 = load ptr, ptr %23, align 8
  call void @gradir.s.blas.gemv(i8 78, i64 %0, i64 %1, float %2, ptr %11, i64 %12, ptr %24, i64 1, float 1.000000e+00, ptr %5, i64 %6)
  br label %25

25:
  %26 = icmp eq ptr %8, null
  br i1 %26, label %29, label %27

27:
  %28 = load ptr, ptr %13, align 8
  call void @gradir.s.blas.gemv(i8 84, i64 %0, i64 %1, float %2, ptr %11, i64 %12, ptr %28, i64 1, float 1.000000e+00, ptr %8, i64 %9)
  br label %29

29:
  %30 = icmp eq ptr %3, null
  br i1 %30, label %39, label %31

31:
  %32 = call ptr @gradir.s.room(i64 %0, i64 1)
  %33 = getelementptr inbounds i8, ptr %13, i64 8
  %34 = load ptr, ptr %33, align 8
  call void @gradir.s.blas.gemv(i8 78, i64 %0, i64 %1, float 1.000000e+00, ptr %11, i64 %12, ptr %34, i64 1, float 0.000000e+00, ptr %32, i64 1)
  %35 = load ptr, ptr %13, align 8
  %36 = call float @gradir.s.blas.dot(i64 %0, ptr %32, i64 1, ptr %35, i64 1)
  %37 = load float, ptr %3, align 4
  %38 = fadd float %36, %37
  store float %38, ptr %3, align 4
  call void @free(ptr %32)
  br label %39

39:
  call void @gradir.s.release(ptr %13)
  ret void
}
define internal void @gradir.s.ger.forward(i64 %0, i64 %1, float %2, float %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12) {
13:
  %14 = icmp ne ptr %11, null
  %15 = fcmp une float %3, 0.000000e+00
  %16 = and i1 %15, %14
  br i1 %16, label %17, label %18

17:
  call void @gradir.s.blas.ger(i64 %0, i64 %1, float %3, ptr %4, i64 %6, ptr %7, i64 %9, ptr %11, i64 %12)
  br label %18

18:
  %19 = icmp ne ptr %5, null
  %20 = and i1 %19, %14
  br i1 %20, label %21, label %22

21:
  call void @gradir.s.blas.ger(i64 %0, i64 %1, float %2, ptr %5, i64 %6, ptr %7, i64 %9, ptr %11, i64 %12)
  br label %22

22:
  %23 = icmp ne ptr %8, null
  %24 = and i1 %23, %14
  br i1 %24, label %25, label %26

25:
  call void @gradir.s.blas.ger(i64 %0, i64 %1, float %2, ptr %4, i64 %6, ptr %8, i64 %9, ptr %11, i64 %12)
  br label %26

26:
  call void @gradir.s.blas.ger(i64 %0, i64 %1, float %2, ptr %4, i64 %6, ptr %7, i64 %9, ptr %10, i64 %12)
  ret void
}
define internal ptr @gradir.s.syr.augmented(i8 %0, i64 %1, float %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = call ptr @gradir.s.new_tape()
  %12 = icmp eq ptr %8, null
  br i1 %12, label %15, label %13

13:
  %14 = call ptr @gradir.s.keep(i64 %1, ptr %4, i64 %6)
  store ptr %14, ptr %11, align 8
  br label %15

15:
  call void @gradir.s.blas.syr(i8 %0, i64 %1, float %2, ptr %4, i64 %6, ptr %7, i64 %9)
  ret ptr %11
}
declare void @gradir.s.blas.syr(i8, i64, float, ptr, i64, ptr, i64)
define internal void @gradir.s.syr.reverse(i8 %0, i64 %1, float %2, ptr %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = icmp ne ptr %8, null
  %13 = icmp sgt i64 %1, 0
  %14 = and i1 %13, %12
  br i1 %14, label %15, label %30

15:
  %16 = call ptr @gradir.s.unfolded(i8 %0, i64 %1, ptr %8, i64 %9)
  %17 = call ptr @gradir.s.room(i64 %1, i64 1)
  %18 = load ptr, ptr %10, align 8
  call void @gradir.s.blas.gemv(i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %16, i64 %1, ptr %18, i64 1, float 0.000000e+00, ptr %17, i64 1)
  %19 = icmp eq ptr %5, null
  br i1 %19, label %21, label %20

20:
  call void @gradir.s.blas.axpy(i64 %1, float %2, ptr %17, i64 1, ptr %5, i64 %6)
  br label %21

21:
  %22 = icmp eq ptr %3, null
  br i1 %22, label %29, label %23

23:
  %24 = load ptr, ptr %10, align 8
  %25 = call float @gradir.s.blas.dot(i64 %1, ptr %17, i64 1, ptr %24, i64 1)
  %26 = fmul float %25, 5.000000e-01
  %27 = load float, ptr %3, align 4
  %28 = fadd float %27, %26
  store float %28, ptr %3, align 4
  br label %29

29:
  call void @free(ptr %16)
  call void @free(ptr %17)
  br label %30

30:
  call void @gradir.s.release(ptr %10)
  ret void
}
define internal void @gradir.s.syr.forward(i8 %0, i64 %1, float %2, float %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, i64 %9) {
10:
  %11 = icmp ne ptr %8, null
  %12 = fcmp une float %3, 0.000000e+00
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %15

14:
  call void @gradir.s.blas.syr(i8 %0, i64 %1, float %3, ptr %4, i64 %6, ptr %8, i64 %9)
  br label %15

15:
  %16 = icmp ne ptr %5, null
  %17 = icmp sgt i64 %1, 0
  %18 = and i1 %17, %16
  %19 = and i1 %18, %11
  br i1 %19, label %20, label %36

20:
  %21 = call ptr @gradir.s.room(i64 %1, i64 %1)
  call void @gradir.s.blas.ger(i64 %1, i64 %1, float %2, ptr %4, i64 %6, ptr %5, i64 %6, ptr %21, i64 %1)
  call void @gradir.s.add_folded(i8 %0, i64 %1, float 1.000000e+00, ptr %21, i64 %1, ptr %8, i64 %9)
  %22 = add i64 %1, 1
  %23 = add i64 %9, 1
  br label %25

24:
  call void @free(ptr %21)
  br label %36

25:
  %26 = phi i64 [ 0, %20 ], [ %34, %25 ]
  %27 = mul i64 %26, %22
  %28 = getelementptr inbounds float, ptr %21, i64 %27
  %29 = load float, ptr %28, align 4
  %30 = mul i64 %26, %23
  %31 = getelementptr inbounds float, ptr %8, i64 %30
  %32 = load float, ptr %31, align 4
  %33 = fadd float %29, %32
  store float %33, ptr %31, align 4
  %34 = add nsw i64 %26, 1
  %35 = icmp eq i64 %34, %1
  br i1 %35, label %24, label %25

36:
  call void @gradir.s.blas.syr(i8 %0, i64 %1, float %2, ptr %4, i64 %6, ptr %7, i64 %9)
  ret void
}
define internal ptr @gradir.s.gemm.augmented(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12, float %13, ptr %14, ptr %15, ptr %16, i64 %17) {
18:
  %19 = call ptr @gradir.s.new_tape()
  %20 = icmp eq ptr %16, null
  br i1 %20, label %52, label %21

21:
  %22 = icmp ne ptr %11, null
  %23 = icmp ne ptr %6, null
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %34

25:
  %26 = and i8 %0, -33
  %27 = icmp eq i8 %26, 78
  br i1 %27, label %30, label %28

28:
  %29 = call ptr @gradir.s.keep_matrix(i64 %4, i64 %2, ptr %7, i64 %9)
  br label %32

30:
  %31 = call ptr @gradir.s.keep_matrix(i64 %2, i64 %4, ptr %7, i64 %9)
  br label %32

32:
  %33 = phi ptr [ %29, %28 ], [ %31, %30 ]
  store ptr %33, ptr %19, align 8
  br label %34

34:
  %35 = icmp ne ptr %8, null
  %36 = or i1 %23, %35
  br i1 %36, label %37, label %47

37:
  %38 = and i8 %1, -33
  %39 = icmp eq i8 %38, 78
  br i1 %39, label %42, label %40

40:
  %41 = call ptr @gradir.s.keep_matrix(i64 %3, i64 %4, ptr %10, i64 %12)
  br label %44

42:
  %43 = call ptr @gradir.s.keep_matrix(i64 %4, i64 %3, ptr %10, i64 %12)
  br label %44

44:
  %45 = phi ptr [ %41, %40 ], [ %43, %42 ]
  %46 = getelementptr inbounds i8, ptr %19, i64 8
  store ptr %45, ptr %46, align 8
  br label %47

47:
  %48 = icmp eq ptr %14, null
  br i1 %48, label %52, label %49

49:
  %50 = call ptr @gradir.s.keep_matrix(i64 %2, i64 %3, ptr %15, i64 %17)
  %51 = getelementptr inbounds i8, ptr %19, i64 16
  store ptr %50, ptr %51, align 8
  br label %52

52:
  call void @gradir.s.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, ptr %7, i64 %9, ptr %10, i64 %12, float %13, ptr %15, i64 %17)
  ret ptr %19
}
declare void @gradir.s.blas.gemm(i8, i8, i64, i64, i64, float, ptr, i64, ptr, i64, float, ptr, i64)
define internal void @gradir.s.gemm_back_a(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, ptr %6, i64 %7, ptr %8, i64 %9, ptr %10, i64 %11) {
12:
  %13 = and i8 %0, -33
  %14 = icmp eq i8 %13, 78
  br i1 %14, label %16, label %15

15:
  call void @gradir.s.blas.gemm(i8 %1, i8 84, i64 %4, i64 %2, i64 %3, float %5, ptr %8, i64 %9, ptr %6, i64 %7, float 1.000000e+00, ptr %10, i64 %11)
  br label %20

16:
  %17 = and i8 %1, -33
  %18 = icmp eq i8 %17, 78
  %19 = select i1 %18, i8 84, i8 78
  call void @gradir.s.blas.gemm(i8 78, i8 %19, i64 %2, i64 %4, i64 %3, float %5, ptr %6, i64 %7, ptr %8, i64 %9, float 1.000000e+00, ptr %10, i64 %11)
  br label %20

20:
  ret void
}
define internal void @gradir.s.gemm.reverse(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12, float %13, ptr %14, ptr %15, ptr %16, i64 %17, ptr %18) {
19:
  %20 = icmp ne ptr %16, null
  %21 = icmp sgt i64 %2, 0
  %22 = and i1 %21, %20
  %23 = icmp sgt i64 %3, 0
  %24 = and i1 %23, %22
  br i1 %24, label %25, label %71

25:
  %26 = and i8 %0, -33
  %27 = icmp eq i8 %26, 78
  %28 = select i1 %27, i64 %2, i64 %4
  %29 = select i1 %27, i64 %4, i64 %2
  %30 = and i8 %1, -33
  %31 = icmp eq i8 %30, 78
  %32 = select i1 %31, i64 %4, i64 %3
  %33 = icmp sgt i64 %4, 0
  %34 = icmp ne ptr %6, null
  %35 = and i1 %33, %34
  br i1 %35, label %36, label %47

36:
  %37 = call ptr @gradir.s.room(i64 %28, i64 %29)
  %38 = getelementptr inbounds i8, ptr %18, i64 8
  %39 = load ptr, ptr %38, align 8
  call void @gradir.s.gemm_back_a(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float 1.000000e+00, ptr %16, i64 %17, ptr %39, i64 %32, ptr %37, i64 %28)
  %40 = load ptr, ptr %18, align 8
  %41 = call float @gradir.s.inner(i64 %28, i64 %29, ptr %37, i64 %28, ptr %40, i64 %28)
  %42 = load float, ptr %6, align 4
  %43 = fadd float %41, %42
  store float %43, ptr %6, align 4
  %44 = icmp eq ptr %8, null
  br i1 %44, label %46, label %45

45:
  call void @gradir.s.add(i64 %28, i64 %29, float %5, ptr %37, i64 %28, ptr %8, i64 %9)
  br label %46

46:
  call void @free(ptr %37)
  br label %53

47:
  %48 = icmp ne ptr %8, null
  %49 = and i1 %33, %48
  br i1 %49, label %50, label %53

50:
  %51 = getelementptr inbounds i8, ptr %18, i64 8
  %52 = load ptr, ptr %51, align 8
  call void @gradir.s.gemm_back_a(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, ptr %16, i64 %17, ptr %52, i64 %32, ptr %8, i64 %9)
  br label %53

53:
  %54 = icmp ne ptr %11, null
  %55 = and i1 %33, %54
  br i1 %55, label %56, label %62

56:
  br i1 %31, label %59, label %57

57:
  %58 = load ptr, ptr %18, align 8
  call void @gradir.s.blas.gemm(i8 84, i8 %0, i64 %3, i64 %4, i64 %2, float %5, ptr %16, i64 %17, ptr %58, i64 %28, float 1.000000e+00, ptr %11, i64 %12)
  br label %62

59:
  %60 = select i1 %27, i8 84, i8 78
  %61 = load ptr, ptr %18, align 8
  call void @gradir.s.blas.gemm(i8 %60, i8 78, i64 %4, i64 %3, i64 %2, float %5, ptr %61, i64 %28, ptr %16, i64 %17, float 1.000000e+00, ptr %11, i64 %12)
  br label %62

62:
  %63 = icmp eq ptr %14, null
  br i1 %63, label %70, label %64

64:
  %65 = getelementptr inbounds i8, ptr %18, i64 16
  %66 = load ptr, ptr %65, align 8
  %67 = call float @gradir.s.inner(i64 %2, i64 %3, ptr %66, i64 %2, ptr %16, i64 %17)
  %68 = load float, ptr %14, align 4
  %69 = fadd float %67, %68
  store float %69, ptr %14, align 4
  br label %70

70:
  call void @gradir.s.scale(i64 %2, i64 %3, float %13, ptr %16, i64 %17)
  br label %71

71:
  call void @gradir.s.release(ptr %18)
  ret void
}
define internal void @gradir.s.gemm.forward(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, float %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11, i64 %12, float %13, float %14, ptr %15, ptr %16, i64 %17) {
18:
  %19 = icmp eq ptr %16, null
  br i1 %19, label %32, label %20

20:
  call void @gradir.s.scale(i64 %2, i64 %3, float %13, ptr %16, i64 %17)
  %21 = fcmp une float %14, 0.000000e+00
  br i1 %21, label %22, label %23

22:
  call void @gradir.s.add(i64 %2, i64 %3, float %14, ptr %15, i64 %17, ptr %16, i64 %17)
  br label %23

23:
  %24 = fcmp une float %6, 0.000000e+00
  br i1 %24, label %25, label %26

25:
  call void @gradir.s.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %6, ptr %7, i64 %9, ptr %10, i64 %12, float 1.000000e+00, ptr %16, i64 %17)
  br label %26

26:
  %27 = icmp eq ptr %8, null
  br i1 %27, label %29, label %28

28:
  call void @gradir.s.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, ptr %8, i64 %9, ptr %10, i64 %12, float 1.000000e+00, ptr %16, i64 %17)
  br label %29

29:
  %30 = icmp eq ptr %11, null
  br i1 %30, label %32, label %31

31:
  call void @gradir.s.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, ptr %7, i64 %9, ptr %11, i64 %12, float 1.000000e+00, ptr %16, i64 %17)
  br label %32

32:
  call void @gradir.s.blas.gemm(i8 %0, i8 %1, i64 %2, i64 %3, i64 %4, float %5, ptr %7, i64 %9, ptr %10, i64 %12, float %13, ptr %15, i64 %17)
  ret void
}
define internal ptr @gradir.s.symm.augmented(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %5, ptr %6, ptr %7, i64 %8, ptr %9, ptr %10, i64 %11, float %12, ptr %13, ptr %14, ptr %15, i64 %16) {
17:
  %18 = call ptr @gradir.s.new_tape()
  %19 = and i8 %0, -33
  %20 = icmp eq i8 %19, 76
  %21 = select i1 %20, i64 %2, i64 %3
  %22 = icmp eq ptr %15, null
  br i1 %22, label %40, label %23

23:
  %24 = icmp ne ptr %10, null
  %25 = icmp ne ptr %5, null
  %26 = or i1 %25, %24
  br i1 %26, label %27, label %29

27:
  %28 = call ptr @gradir.s.keep_matrix(i64 %21, i64 %21, ptr %6, i64 %8)
  store ptr %28, ptr %18, align 8
  br label %29

29:
  %30 = icmp ne ptr %7, null
  %31 = or i1 %25, %30
  br i1 %31, label %32, label %35

32:
  %33 = call ptr @gradir.s.keep_matrix(i64 %2, i64 %3, ptr %9, i64 %11)
  %34 = getelementptr inbounds i8, ptr %18, i64 8
  store ptr %33, ptr %34, align 8
  br label %35

35:
  %36 = icmp eq ptr %13, null
  br i1 %36, label %40, label %37

37:
  %38 = call ptr @gradir.s.keep_matrix(i64 %2, i64 %3, ptr %14, i64 %16)
  %39 = getelementptr inbounds i8, ptr %18, i64 16
  store ptr %38, ptr %39, align 8
  br label %40

40:
  call void @gradir.s.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %6, i64 %8, ptr %9, i64 %11, float %12, ptr %14, i64 %16)
  ret ptr %18
}
declare void @gradir.s.blas.symm(i8, i8, i64, i64, float, ptr, i64, ptr, i64, float, ptr, i64)
define internal void @gradir.s.symm.reverse(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %5, ptr %6, ptr %7, i64 %8, ptr %9, ptr %10, i64 %11, float %12, ptr %13, ptr %14, ptr %15, i64 %16, ptr %17) {
18:
  %19 = icmp ne ptr %15, null
  %20 = icmp sgt i64 %2, 0
  %21 = and i1 %20, %19
  %22 = icmp sgt i64 %3, 0
  %23 = and i1 %22, %21
  br i1 %23, label %24, label %61

24:
  %25 = and i8 %0, -33
  %26 = icmp eq i8 %25, 76
  %27 = select i1 %26, i64 %2, i64 %3
  %28 = icmp ne ptr %10, null
  %29 = icmp ne ptr %5, null
  %30 = or i1 %29, %28
  br i1 %30, label %31, label %43

31:
  %32 = call ptr @gradir.s.room(i64 %2, i64 %3)
  %33 = load ptr, ptr %17, align 8
  call void @gradir.s.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, float 1.000000e+00, ptr %33, i64 %27, ptr %15, i64 %16, float 0.000000e+00, ptr %32, i64 %2)
  br i1 %29, label %34, label %40

34:
  %35 = getelementptr inbounds i8, ptr %17, i64 8
  %36 = load ptr, ptr %35, align 8
  %37 = call float @gradir.s.inner(i64 %2, i64 %3, ptr %32, i64 %2, ptr %36, i64 %2)
  %38 = load float, ptr %5, align 4
  %39 = fadd float %37, %38
  store float %39, ptr %5, align 4
  br label %40

40:
  br i1 %28, label %41, label %42

41:
  call void @gradir.s.add(i64 %2, i64 %3, float %4, ptr %32, i64 %2, ptr %10, i64 %11)
  br label %42

42:
  call void @free(ptr %32)
  br label %43

43:
  %44 = icmp eq ptr %7, null
  br i1 %44, label %52, label %45

45:
  %46 = call ptr @gradir.s.room(i64 %27, i64 %27)
  %47 = getelementptr inbounds i8, ptr %17, i64 8
  %48 = load ptr, ptr %47, align 8
  br i1 %26, label %49, label %50

49:
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %2, i64 %2, i64 %3, float 1.000000e+00, ptr %15, i64 %16, ptr %48, i64 %2, float 0.000000e+00, ptr %46, i64 %2)
  br label %51

50:
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %3, i64 %3, i64 %2, float 1.000000e+00, ptr %48, i64 %2, ptr %15, i64 %16, float 0.000000e+00, ptr %46, i64 %3)
  br label %51

51:
  call void @gradir.s.add_folded(i8 %1, i64 %27, float %4, ptr %46, i64 %27, ptr %7, i64 %8)
  call void @free(ptr %46)
  br label %52

52:
  %53 = icmp eq ptr %13, null
  br i1 %53, label %60, label %54

54:
  %55 = getelementptr inbounds i8, ptr %17, i64 16
  %56 = load ptr, ptr %55, align 8
  %57 = call float @gradir.s.inner(i64 %2, i64 %3, ptr %56, i64 %2, ptr %15, i64 %16)
  %58 = load float, ptr %13, align 4
  %59 = fadd float %57, %58
  store float %59, ptr %13, align 4
  br label %60

60:
  call void @gradir.s.scale(i64 %2, i64 %3, float %12, ptr %15, i64 %16)
  br label %61

61:
  call void @gradir.s.release(ptr %17)
  ret void
}
define internal void @gradir.s.symm.forward(i8 %0, i8 %1, i64 %2, i64 %3, float %4, float %5, ptr %6, ptr %7, i64 %8, ptr %9, ptr %10, i64 %11, float %12, float %13, ptr %14, ptr %15, i64 %16) {
17:
  %18 = icmp eq ptr %15, null
  br i1 %18, label %31, label %19

19:
  call void @gradir.s.scale(i64 %2, i64 %3, float %12, ptr %15, i64 %16)
  %20 = fcmp une float %13, 0.000000e+00
  br i1 %20, label %21, label %22

21:
  call void @gradir.s.add(i64 %2, i64 %3, float %13, ptr %14, i64 %16, ptr %15, i64 %16)
  br label %22

22:
  %23 = fcmp une float %5, 0.000000e+00
  br i1 %23, label %24, label %25

24:
  call void @gradir.s.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, float %5, ptr %6, i64 %8, ptr %9, i64 %11, float 1.000000e+00, ptr %15, i64 %16)
  br label %25

25:
  %26 = icmp eq ptr %7, null
  br i1 %26, label %28, label %27

27:
  call void @gradir.s.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %7, i64 %8, ptr %9, i64 %11, float 1.000000e+00, ptr %15, i64 %16)
  br label %28

28:
  %29 = icmp eq ptr %10, null
  br i1 %29, label %31, label %30

30:
  call void @gradir.s.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %6, i64 %8, ptr %10, i64 %11, float 1.000000e+00, ptr %15, i64 %16)
  br label %31

31:
  call void @gradir.s.blas.symm(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %6, i64 %8, ptr %9, i64 %11, float %12, ptr %14, i64 %16)
  ret void
}
define internal ptr @gradir.s.syrk.augmented(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %5, ptr %6, ptr %7, i64 %8, float %9, ptr %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = call ptr @gradir.s.new_tape()
  %16 = icmp eq ptr %12, null
  br i1 %16, label %30, label %17

17:
  %18 = and i8 %1, -33
  %19 = icmp eq i8 %18, 78
  br i1 %19, label %22, label %20

20:
  %21 = call ptr @gradir.s.keep_matrix(i64 %3, i64 %2, ptr %6, i64 %8)
  br label %24

22:
  %23 = call ptr @gradir.s.keep_matrix(i64 %2, i64 %3, ptr %6, i64 %8)
  br label %24

24:
  %25 = phi ptr [ %21, %20 ], [ %23, %22 ]
  store ptr %25, ptr %15, align 8
  %26 = icmp eq ptr %10, null
  br i1 %26, label %30, label %27

27:
  %28 = call ptr @gradir.s.keep_matrix(i64 %2, i64 %2, ptr %11, i64 %13)
  %29 = getelementptr inbounds i8, ptr %15, i64 16
  store ptr %28, ptr %29, align 8
  br label %30

30:
  call void @gradir.s.blas.syrk(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %6, i64 %8, float %9, ptr %11, i64 %13)
  ret ptr %15
}
declare void @gradir.s.blas.syrk(i8, i8, i64, i64, float, ptr, i64, float, ptr, i64)
define internal void @gradir.s.syrk.reverse(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %5, ptr %6, ptr %7, i64 %8, float %9, ptr %10, ptr %11, ptr %12, i64 %13, ptr %14) {
15:
  %16 = icmp ne ptr %12, null
  %17 = icmp sgt i64 %2, 0
  %18 = and i1 %17, %16
  br i1 %18, label %19, label %88

19:
  %20 = icmp sgt i64 %3, 0
  br i1 %20, label %21, label %45

21:
  %22 = icmp ne ptr %7, null
  %23 = icmp ne ptr %5, null
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %45

25:
  %26 = and i8 %1, -33
  %27 = icmp eq i8 %26, 78
  %28 = select i1 %27, i64 %2, i64 %3
  %29 = select i1 %27, i64 %3, i64 %2
  %30 = call ptr @gradir.s.unfolded(i8 %0, i64 %2, ptr %12, i64 %13)
  %31 = call ptr @gradir.s.room(i64 %28, i64 %29)
  %32 = load ptr, ptr %14, align 8
  br i1 %27, label %34, label %33

33:
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %3, i64 %2, i64 %2, float 1.000000e+00, ptr %32, i64 %3, ptr %30, i64 %2, float 0.000000e+00, ptr %31, i64 %3)
  br label %35

34:
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %2, i64 %3, i64 %2, float 1.000000e+00, ptr %30, i64 %2, ptr %32, i64 %2, float 0.000000e+00, ptr %31, i64 %2)
  br label %35

35:
  br i1 %22, label %36, label %37

36:
  call void @gradir.s.add(i64 %28, i64 %29, float %4, ptr %31, i64 %28, ptr %7, i64 %8)
  br label %37

37:
  br i1 %23, label %38, label %44

38:
  %39 = load ptr, ptr %14, align 8
  %40 = call float @gradir.s.inner(i64 %28, i64 %29, ptr %31, i64 %28, ptr %39, i64 %28)
  %41 = fmul float %40, 5.000000e-01
  %42 = load float, ptr %5, align 4
  %43 = fadd float %42, %41
  store float %43, ptr %5, align 4
  br label %44

44:
  call void @free(ptr %30)
  call void @free(ptr %31)
  br label %45

45:
  %46 = and i8 %0, -33
  %47 = icmp eq i8 %46, 85
  %48 = icmp eq ptr %10, null
  %49 = getelementptr inbounds i8, ptr %14, i64 16
  %50 = fcmp oeq float %9, 0.000000e+00
  br label %51

51:
  %52 = phi i64 [ 0, %45 ], [ %57, %56 ]
  %53 = mul nsw i64 %52, %2
  %54 = mul nsw i64 %52, %13
  %55 = getelementptr float, ptr %12, i64 %54
  br label %59

56:
  %57 = add nsw i64 %52, 1
  %58 = icmp eq i64 %57, %2
  br i1 %58, label %88, label %51

59:
  %60 = phi i64 [ 0, %51 ], [ %86, %85 ]
  %61 = icmp eq i64 %60, %52
  br i1 %61, label %66, label %62

62:
  %63 = icmp ule i64 %60, %52
  %64 = icmp uge i64 %60, %52
  %65 = select i1 %47, i1 %64, i1 %63
  br i1 %65, label %85, label %66

66:
  br i1 %48, label %77, label %67

67:
  %68 = load ptr, ptr %49, align 8
  %69 = getelementptr inbounds float, ptr %68, i64 %60
  %70 = getelementptr inbounds float, ptr %69, i64 %53
  %71 = load float, ptr %70, align 4
  %72 = getelementptr float, ptr %55, i64 %60
  %73 = load float, ptr %72, align 4
  %74 = fmul float %71, %73
  %75 = load float, ptr %10, align 4
  %76 = fadd float %75, %74
  store float %76, ptr %10, align 4
  br label %77

77:
  br i1 %50, label %82, label %78

78:
  %79 = getelementptr float, ptr %55, i64 %60
  %80 = load float, ptr %79, align 4
  %81 = fmul float %9, %80
  br label %82

82:
  %83 = phi float [ %81, %78 ], [ 0.000000e+00, %77 ]
  %84 = getelementptr float, ptr %55, i64 %60
  store float %83, ptr %84, align 4
  br label %85

85:
  %86 = add nsw i64 %60, 1
  %87 = icmp eq i64 %86, %2
  br i1 %87, label %56, label %59

88:
  call void @gradir.s.release(ptr %14)
  ret void
}
define internal void @gradir.s.syrk.forward(i8 %0, i8 %1, i64 %2, i64 %3, float %4, float %5, ptr %6, ptr %7, i64 %8, float %9, float %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = icmp ne ptr %12, null
  %16 = icmp sgt i64 %2, 0
  %17 = and i1 %16, %15
  br i1 %17, label %18, label %79

18:
  %19 = and i8 %0, -33
  %20 = icmp eq i8 %19, 85
  %21 = fcmp oeq float %9, 0.000000e+00
  br label %22

22:
  %23 = phi i64 [ 0, %18 ], [ %29, %28 ]
  %24 = mul nsw i64 %23, %13
  %25 = getelementptr float, ptr %12, i64 %24
  br label %31

26:
  %27 = fcmp une float %5, 0.000000e+00
  br i1 %27, label %54, label %55

28:
  %29 = add nsw i64 %23, 1
  %30 = icmp eq i64 %29, %2
  br i1 %30, label %26, label %22

31:
  %32 = phi i64 [ 0, %22 ], [ %52, %51 ]
  %33 = icmp eq i64 %32, %23
  br i1 %33, label %38, label %34

34:
  %35 = icmp ule i64 %32, %23
  %36 = icmp uge i64 %32, %23
  %37 = select i1 %20, i1 %36, i1 %35
  br i1 %37, label %51, label %38

38:
  br i1 %21, label %43, label %39

39:
  %40 = getelementptr float, ptr %25, i64 %32
  %41 = load float, ptr %40, align 4
  %42 = fmul float %9, %41
  br label %43

43:
  %44 = phi float [ %42, %39 ], [ 0.000000e+00, %38 ]
  %45 = add nsw i64 %32, %24
  %46 = getelementptr inbounds float, ptr %11, i64 %45
  %47 = load float, ptr %46, align 4
  %48 = fmul float %10, %47
  %49 = fadd float %44, %48
  %50 = getelementptr inbounds float, ptr %12, i64 %45
  store float %49, ptr %50, align 4
  br label %51

51:
  %52 = add nsw i64 %32, 1
  %53 = icmp eq i64 %52, %2
  br i1 %53, label %28, label %31

54:
  call void @gradir.s.blas.syrk(i8 %0, i8 %1, i64 %2, i64 %3, float %5, ptr %6, i64 %8, float 1.000000e+00, ptr %12, i64 %13)
  br label %55

55:
  %56 = icmp ne ptr %7, null
  %57 = icmp sgt i64 %3, 0
  %58 = and i1 %57, %56
  br i1 %58, label %59, label %79

59:
  %60 = call ptr @gradir.s.room(i64 %2, i64 %2)
  %61 = and i8 %1, -33
  %62 = icmp eq i8 %61, 78
  %63 = select i1 %62, i8 84, i8 78
  call void @gradir.s.blas.gemm(i8 %1, i8 %63, i64 %2, i64 %2, i64 %3, float %4, ptr %6, i64 %8, ptr %7, i64 %8, float 0.000000e+00, ptr %60, i64 %2)
  call void @gradir.s.add_folded(i8 %0, i64 %2, float 1.000000e+00, ptr %60, i64 %2, ptr %12, i64 %13)
  %64 = add i64 %2, 1
  %65 = add i64 %13, 1
  %66 = call i64 @llvm.smax.i64(i64 %2, i64 1)
  br label %68

67:
  call void @free(ptr %60)
  br label %79

68:
  %69 = phi i64 [ 0, %59 ], [ %77, %68 ]
  %70 = mul i64 %69, %64
  %71 = getelementptr inbounds float, ptr %60, i64 %70
  %72 = load float, ptr %71, align 4
  %73 = mul i64 %69, %65
  %74 = getelementptr inbounds float, ptr %12, i64 %73
  %75 = load float, ptr %74, align 4
  %76 = fadd float %72, %75
  store float %76, ptr %74, align 4
  %77 = add nsw i64 %69, 1
  %78 = icmp eq i64 %77, %66
  br i1 %78, label %67, label %68

79:
  call void @gradir.s.blas.syrk(i8 %0, i8 %1, i64 %2, i64 %3, float %4, ptr %6, i64 %8, float %9, ptr %11, i64 %13)
  ret void
}
define internal void @gradir.s.add_product(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %7, i64 %8, ptr %9, i64 %10, ptr %11, i64 %12) {
13:
  %14 = and i8 %0, -33
  %15 = icmp eq i8 %14, 76
  %16 = select i1 %15, i64 %4, i64 %5
  %17 = call ptr @gradir.s.room(i64 %16, i64 %16)
  %18 = select i1 %15, ptr %7, ptr %9
  %19 = select i1 %15, ptr %9, ptr %7
  %20 = select i1 %15, i64 %8, i64 %10
  %21 = select i1 %15, i64 %10, i64 %8
  %22 = and i8 %2, -33
  %23 = icmp eq i8 %22, 78
  br i1 %23, label %25, label %24

24:
  br label %25

25:
  %26 = phi i64 [ %21, %24 ], [ %20, %13 ]
  %27 = phi i64 [ %20, %24 ], [ %21, %13 ]
  %28 = phi ptr [ %18, %24 ], [ %19, %13 ]
  %29 = phi ptr [ %19, %24 ], [ %18, %13 ]
  br i1 %15, label %30, label %31

30:
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %4, i64 %4, i64 %5, float 1.000000e+00, ptr %29, i64 %26, ptr %28, i64 %27, float 0.000000e+00, ptr %17, i64 %4)
  br label %32

31:
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %5, i64 %5, i64 %4, float 1.000000e+00, ptr %29, i64 %26, ptr %28, i64 %27, float 0.000000e+00, ptr %17, i64 %5)
  br label %32

32:
  call void @gradir.s.add_triangle(i8 %1, i8 %3, i64 %16, float %6, ptr %17, i64 %16, ptr %11, i64 %12)
  call void @free(ptr %17)
  ret void
}
define internal ptr @gradir.s.trmm.augmented(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = call ptr @gradir.s.new_tape()
  %16 = icmp eq ptr %12, null
  br i1 %16, label %28, label %17

17:
  %18 = and i8 %0, -33
  %19 = icmp eq i8 %18, 76
  %20 = select i1 %19, i64 %4, i64 %5
  %21 = call ptr @gradir.s.keep_matrix(i64 %20, i64 %20, ptr %8, i64 %10)
  store ptr %21, ptr %15, align 8
  %22 = icmp ne ptr %9, null
  %23 = icmp ne ptr %7, null
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %28

25:
  %26 = call ptr @gradir.s.keep_matrix(i64 %4, i64 %5, ptr %11, i64 %13)
  %27 = getelementptr inbounds i8, ptr %15, i64 8
  store ptr %26, ptr %27, align 8
  br label %28

28:
  call void @gradir.s.blas.trmm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %8, i64 %10, ptr %11, i64 %13)
  ret ptr %15
}
declare void @gradir.s.blas.trmm(i8, i8, i8, i8, i64, i64, float, ptr, i64, ptr, i64)
define internal void @gradir.s.trmm.reverse(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14) {
15:
  %16 = icmp ne ptr %12, null
  %17 = icmp sgt i64 %4, 0
  %18 = and i1 %17, %16
  %19 = icmp sgt i64 %5, 0
  %20 = and i1 %19, %18
  br i1 %20, label %21, label %42

21:
  %22 = and i8 %0, -33
  %23 = icmp eq i8 %22, 76
  %24 = select i1 %23, i64 %4, i64 %5
  %25 = icmp eq ptr %9, null
  br i1 %25, label %29, label %26

26:
  %27 = getelementptr inbounds i8, ptr %14, i64 8
  %28 = load ptr, ptr %27, align 8
  call void @gradir.s.add_product(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %12, i64 %13, ptr %28, i64 %4, ptr %9, i64 %10)
  br label %29

29:
  %30 = and i8 %2, -33
  %31 = icmp eq i8 %30, 78
  %32 = select i1 %31, i8 84, i8 78
  %33 = load ptr, ptr %14, align 8
  call void @gradir.s.blas.trmm(i8 %0, i8 %1, i8 %32, i8 %3, i64 %4, i64 %5, float 1.000000e+00, ptr %33, i64 %24, ptr %12, i64 %13)
  %34 = icmp eq ptr %7, null
  br i1 %34, label %41, label %35

35:
  %36 = getelementptr inbounds i8, ptr %14, i64 8
  %37 = load ptr, ptr %36, align 8
  %38 = call float @gradir.s.inner(i64 %4, i64 %5, ptr %12, i64 %13, ptr %37, i64 %4)
  %39 = load float, ptr %7, align 4
  %40 = fadd float %38, %39
  store float %40, ptr %7, align 4
  br label %41

41:
  call void @gradir.s.scale(i64 %4, i64 %5, float %6, ptr %12, i64 %13)
  br label %42

42:
  call void @gradir.s.release(ptr %14)
  ret void
}
define internal void @gradir.s.trmm.forward(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, float %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = icmp ne ptr %12, null
  %16 = icmp sgt i64 %4, 0
  %17 = and i1 %16, %15
  %18 = icmp sgt i64 %5, 0
  %19 = and i1 %18, %17
  br i1 %19, label %20, label %34

20:
  %21 = and i8 %0, -33
  %22 = icmp eq i8 %21, 76
  %23 = select i1 %22, i64 %4, i64 %5
  %24 = fcmp une float %7, 0.000000e+00
  br i1 %24, label %25, label %26

25:
  call void @gradir.s.scale(i64 %4, i64 %5, float %6, ptr %12, i64 %13)
  call void @gradir.s.add(i64 %4, i64 %5, float %7, ptr %11, i64 %13, ptr %12, i64 %13)
  br label %26

26:
  %27 = phi float [ 1.000000e+00, %25 ], [ %6, %20 ]
  call void @gradir.s.blas.trmm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %27, ptr %8, i64 %10, ptr %12, i64 %13)
  %28 = icmp eq ptr %9, null
  br i1 %28, label %34, label %29

29:
  %30 = call ptr @gradir.s.triangle(i8 %1, i8 %3, i64 %23, ptr %9, i64 %10)
  br i1 %22, label %31, label %32

31:
  call void @gradir.s.blas.gemm(i8 %2, i8 78, i64 %4, i64 %5, i64 %4, float %6, ptr %30, i64 %4, ptr %11, i64 %13, float 1.000000e+00, ptr %12, i64 %13)
  br label %33

32:
  call void @gradir.s.blas.gemm(i8 78, i8 %2, i64 %4, i64 %5, i64 %5, float %6, ptr %11, i64 %13, ptr %30, i64 %5, float 1.000000e+00, ptr %12, i64 %13)
  br label %33

33:
  call void @free(ptr %30)
  br label %34

34:
  call void @gradir.s.blas.trmm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %8, i64 %10, ptr %11, i64 %13)
  ret void
}
define internal ptr @gradir.s.trsm.augmented(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = call ptr @gradir.s.new_tape()
  %16 = icmp eq ptr %12, null
  br i1 %16, label %17, label %18

17:
  call void @gradir.s.blas.trsm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %8, i64 %10, ptr %11, i64 %13)
  br label %32

18:
  %19 = and i8 %0, -33
  %20 = icmp eq i8 %19, 76
  %21 = select i1 %20, i64 %4, i64 %5
  %22 = call ptr @gradir.s.keep_matrix(i64 %21, i64 %21, ptr %8, i64 %10)
  store ptr %22, ptr %15, align 8
  %23 = icmp eq ptr %7, null
  br i1 %23, label %27, label %24

24:
  %25 = call ptr @gradir.s.keep_matrix(i64 %4, i64 %5, ptr %11, i64 %13)
  %26 = getelementptr inbounds i8, ptr %15, i64 16
  store ptr %25, ptr %26, align 8
  br label %27

27:
  call void @gradir.s.blas.trsm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %8, i64 %10, ptr %11, i64 %13)
  %28 = icmp eq ptr %9, null
  br i1 %28, label %32, label %29

29:
  %30 = call ptr @gradir.s.keep_matrix(i64 %4, i64 %5, ptr %11, i64 %13)
  %31 = getelementptr inbounds i8, ptr %15, i64 8
  store ptr %30, ptr %31, align 8
  br label %32

32:
  ret ptr %15
}
declare void @gradir.s.blas.trsm(i8, i8, i8, i8, i64, i64, float, ptr, i64, ptr, i64)
define internal void @gradir.s.trsm.reverse(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14) {
15:
  %16 = icmp ne ptr %12, null
  %17 = icmp sgt i64 %4, 0
  %18 = and i1 %17, %16
  %19 = icmp sgt i64 %5, 0
  %20 = and i1 %19, %18
  br i1 %20, label %21, label %42

21:
  %22 = and i8 %0, -33
  %23 = icmp eq i8 %22, 76
  %24 = select i1 %23, i64 %4, i64 %5
  %25 = and i8 %2, -33
  %26 = icmp eq i8 %25, 78
  %27 = select i1 %26, i8 84, i8 78
  %28 = load ptr, ptr %14, align 8
  call void @gradir.s.blas.trsm(i8 %0, i8 %1, i8 %27, i8 %3, i64 %4, i64 %5, float 1.000000e+00, ptr %28, i64 %24, ptr %12, i64 %13)
  %29 = icmp eq ptr %9, null
  br i1 %29, label %33, label %30

30:
  %31 = getelementptr inbounds i8, ptr %14, i64 8
  %32 = load ptr, ptr %31, align 8
  call void @gradir.s.add_product(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float -1.000000e+00, ptr %12, i64 %13, ptr %32, i64 %4, ptr %9, i64 %10)
  br label %33

33:
  %34 = icmp eq ptr %7, null
  br i1 %34, label %41, label %35

35:
  %36 = getelementptr inbounds i8, ptr %14, i64 16
  %37 = load ptr, ptr %36, align 8
  %38 = call float @gradir.s.inner(i64 %4, i64 %5, ptr %12, i64 %13, ptr %37, i64 %4)
  %39 = load float, ptr %7, align 4
  %40 = fadd float %38, %39
  store float %40, ptr %7, align 4
  br label %41

41:
  call void @gradir.s.scale(i64 %4, i64 %5, float %6, ptr %12, i64 %13)
  br label %42

42:
  call void @gradir.s.release(ptr %14)
  ret void
}
define internal void @gradir.s.trsm.forward(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, float %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = icmp ne ptr %12, null
  %16 = icmp sgt i64 %4, 0
  %17 = and i1 %16, %15
  %18 = icmp sgt i64 %5, 0
  %19 = and i1 %18, %17
  br i1 %19, label %20, label %23

20:
  call void @gradir.s.scale(i64 %4, i64 %5, float %6, ptr %12, i64 %13)
  %21 = fcmp une float %7, 0.000000e+00
  br i1 %21, label %22, label %23

22:
  call void @gradir.s.add(i64 %4, i64 %5, float %7, ptr %11, i64 %13, ptr %12, i64 %13)
  br label %23

23:
  call void @gradir.s.blas.trsm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float %6, ptr %8, i64 %10, ptr %11, i64 %13)
  %24 = icmp eq ptr %12, null
  %25 = icmp slt i64 %4, 1
  %26 = or i1 %25, %24
  %27 = icmp slt i64 %5, 1
  %28 = or i1 %27, %26
  br i1 %28, label %40, label %29

29:
  %30 = icmp eq ptr %9, null
  br i1 %30, label %39, label %31

31:
  %32 = and i8 %0, -33
  %33 = icmp eq i8 %32, 76
  %34 = select i1 %33, i64 %4, i64 %5
  %35 = call ptr @gradir.s.triangle(i8 %1, i8 %3, i64 %34, ptr %9, i64 %10)
  br i1 %33, label %36, label %37

36:
  call void @gradir.s.blas.gemm(i8 %2, i8 78, i64 %4, i64 %5, i64 %4, float -1.000000e+00, ptr %35, i64 %4, ptr %11, i64 %13, float 1.000000e+00, ptr %12, i64 %13)
  br label %38

37:
  call void @gradir.s.blas.gemm(i8 78, i8 %2, i64 %4, i64 %5, i64 %5, float -1.000000e+00, ptr %11, i64 %13, ptr %35, i64 %5, float 1.000000e+00, ptr %12, i64 %13)
  br label %38

38:
  call void @free(ptr %35)
  br label %39

39:
  call void @gradir.s.blas.trsm(i8 %0, i8 %1, i8 %2, i8 %3, i64 %4, i64 %5, float 1.000000e+00, ptr %8, i64 %10, ptr %12, i64 %13)
  br label %40

40:
  ret void
}
define internal ptr @gradir.s.potrf.augmented(i8 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5) {
6:
  call void @gradir.s.blas.potrf(i8 %0, i64 %1, ptr %2, i64 %4, ptr %5)
  %7 = call ptr @gradir.s.new_tape()
  %8 = icmp eq ptr %3, null
  br i1 %8, label %11, label %9

9:
  %10 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %1, ptr %2, i64 %4)
  store ptr %10, ptr %7, align 8
  br label %11

11:
  ret ptr %7
}
declare void @gradir.s.blas.potrf(i8, i64, ptr, i64, ptr)
define internal void @gradir.s.potrf.reverse(i8 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  %8 = icmp ne ptr %3, null
  %9 = icmp sgt i64 %1, 0
  %10 = and i1 %9, %8
  br i1 %10, label %11, label %97

11:
  %12 = and i8 %0, -33
  %13 = icmp eq i8 %12, 85
  %14 = call ptr @gradir.s.room(i64 %1, i64 %1)
  br label %15

15:
  %16 = phi i64 [ 0, %11 ], [ %28, %27 ]
  %17 = getelementptr float, ptr %3, i64 %16
  %18 = mul nsw i64 %16, %4
  %19 = getelementptr float, ptr %3, i64 %18
  %20 = mul nsw i64 %16, %1
  %21 = getelementptr float, ptr %14, i64 %20
  br label %30

22:
  %23 = select i1 %13, i8 84, i8 78
  %24 = select i1 %13, i8 78, i8 84
  %25 = load ptr, ptr %6, align 8
  call void @gradir.s.blas.trmm(i8 76, i8 %0, i8 %24, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %25, i64 %1, ptr %14, i64 %1)
  %26 = add i64 %1, 1
  br label %40

27:
  %28 = add nsw i64 %16, 1
  %29 = icmp eq i64 %28, %1
  br i1 %29, label %22, label %15

30:
  %31 = phi i64 [ %16, %15 ], [ %38, %30 ]
  %32 = mul nsw i64 %31, %4
  %33 = getelementptr float, ptr %17, i64 %32
  %34 = getelementptr float, ptr %19, i64 %31
  %35 = select i1 %13, ptr %33, ptr %34
  %36 = load float, ptr %35, align 4
  %37 = getelementptr float, ptr %21, i64 %31
  store float %36, ptr %37, align 4
  %38 = add nsw i64 %31, 1
  %39 = icmp eq i64 %38, %1
  br i1 %39, label %27, label %30

40:
  %41 = phi i64 [ 0, %22 ], [ %55, %50 ]
  %42 = icmp eq i64 %41, 0
  br i1 %42, label %50, label %43

43:
  %44 = mul nsw i64 %41, %1
  %45 = getelementptr float, ptr %14, i64 %44
  br label %57

46:
  %47 = load ptr, ptr %6, align 8
  call void @gradir.s.blas.trsm(i8 76, i8 %0, i8 %24, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %47, i64 %1, ptr %14, i64 %1)
  %48 = load ptr, ptr %6, align 8
  call void @gradir.s.blas.trsm(i8 82, i8 %0, i8 %23, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %48, i64 %1, ptr %14, i64 %1)
  %49 = add i64 %1, 1
  br label %62

50:
  %51 = mul i64 %41, %26
  %52 = getelementptr inbounds float, ptr %14, i64 %51
  %53 = load float, ptr %52, align 4
  %54 = fmul float %53, 5.000000e-01
  store float %54, ptr %52, align 4
  %55 = add nsw i64 %41, 1
  %56 = icmp eq i64 %55, %1
  br i1 %56, label %46, label %40

57:
  %58 = phi i64 [ 0, %43 ], [ %60, %57 ]
  %59 = getelementptr float, ptr %45, i64 %58
  store float 0.000000e+00, ptr %59, align 4
  %60 = add nsw i64 %58, 1
  %61 = icmp eq i64 %60, %41
  br i1 %61, label %50, label %57

62:
  %63 = phi i64 [ 0, %46 ], [ %73, %72 ]
  %64 = mul nsw i64 %63, %1
  %65 = getelementptr float, ptr %14, i64 %64
  %66 = getelementptr inbounds float, ptr %14, i64 %63
  %67 = mul nsw i64 %63, %4
  %68 = getelementptr float, ptr %3, i64 %67
  %69 = mul i64 %63, %49
  %70 = getelementptr inbounds float, ptr %14, i64 %69
  br label %75

71:
  call void @free(ptr %14)
  br label %97

72:
  %73 = add nsw i64 %63, 1
  %74 = icmp eq i64 %73, %1
  br i1 %74, label %71, label %62

75:
  %76 = phi i64 [ 0, %62 ], [ %95, %94 ]
  %77 = icmp eq i64 %76, %63
  br i1 %77, label %82, label %78

78:
  %79 = icmp ule i64 %76, %63
  %80 = icmp uge i64 %76, %63
  %81 = select i1 %13, i1 %80, i1 %79
  br i1 %81, label %94, label %84

82:
  %83 = load float, ptr %70, align 4
  br label %91

84:
  %85 = getelementptr float, ptr %65, i64 %76
  %86 = load float, ptr %85, align 4
  %87 = mul nsw i64 %76, %1
  %88 = getelementptr inbounds float, ptr %66, i64 %87
  %89 = load float, ptr %88, align 4
  %90 = fadd float %86, %89
  br label %91

91:
  %92 = phi float [ %83, %82 ], [ %90, %84 ]
  %93 = getelementptr float, ptr %68, i64 %76
  store float %92, ptr %93, align 4
  br label %94

94:
  %95 = add nsw i64 %76, 1
  %96 = icmp eq i64 %95, %1
  br i1 %96, label %72, label %75

97:
  call void @gradir.s.release(ptr %6)
  ret void
}
define internal void @gradir.s.potrf.forward(i8 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5) {
6:
  call void @gradir.s.blas.potrf(i8 %0, i64 %1, ptr %2, i64 %4, ptr %5)
  %7 = icmp eq ptr %3, null
  %8 = icmp slt i64 %1, 1
  %9 = or i1 %8, %7
  br i1 %9, label %73, label %10

10:
  %11 = call ptr @gradir.s.unfolded(i8 %0, i64 %1, ptr %3, i64 %4)
  %12 = add i64 %1, 1
  br label %18

13:
  %14 = and i8 %0, -33
  %15 = icmp eq i8 %14, 85
  %16 = select i1 %15, i8 84, i8 78
  %17 = select i1 %15, i8 78, i8 84
  call void @gradir.s.blas.trsm(i8 76, i8 %0, i8 %16, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %2, i64 %4, ptr %11, i64 %1)
  call void @gradir.s.blas.trsm(i8 82, i8 %0, i8 %17, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %2, i64 %4, ptr %11, i64 %1)
  br label %26

18:
  %19 = phi i64 [ 0, %10 ], [ %24, %18 ]
  %20 = mul i64 %19, %12
  %21 = getelementptr inbounds float, ptr %11, i64 %20
  %22 = load float, ptr %21, align 4
  %23 = fmul float %22, 5.000000e-01
  store float %23, ptr %21, align 4
  %24 = add nsw i64 %19, 1
  %25 = icmp eq i64 %24, %1
  br i1 %25, label %13, label %18

26:
  %27 = phi i64 [ 0, %13 ], [ %38, %33 ]
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %33, label %29

29:
  %30 = mul nsw i64 %27, %1
  %31 = getelementptr float, ptr %11, i64 %30
  br label %40

32:
  call void @gradir.s.blas.trmm(i8 76, i8 %0, i8 %16, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %2, i64 %4, ptr %11, i64 %1)
  br label %45

33:
  %34 = mul i64 %27, %12
  %35 = getelementptr inbounds float, ptr %11, i64 %34
  %36 = load float, ptr %35, align 4
  %37 = fmul float %36, 5.000000e-01
  store float %37, ptr %35, align 4
  %38 = add nsw i64 %27, 1
  %39 = icmp eq i64 %38, %1
  br i1 %39, label %32, label %26

40:
  %41 = phi i64 [ 0, %29 ], [ %43, %40 ]
  %42 = getelementptr float, ptr %31, i64 %41
  store float 0.000000e+00, ptr %42, align 4
  %43 = add nsw i64 %41, 1
  %44 = icmp eq i64 %43, %27
  br i1 %44, label %33, label %40

45:
  %46 = phi i64 [ 0, %32 ], [ %54, %53 ]
  %47 = getelementptr inbounds float, ptr %11, i64 %46
  %48 = mul nsw i64 %46, %1
  %49 = getelementptr float, ptr %11, i64 %48
  %50 = mul nsw i64 %46, %4
  %51 = getelementptr float, ptr %3, i64 %50
  br label %56

52:
  call void @free(ptr %11)
  br label %73

53:
  %54 = add nsw i64 %46, 1
  %55 = icmp eq i64 %54, %1
  br i1 %55, label %52, label %45

56:
  %57 = phi i64 [ 0, %45 ], [ %71, %70 ]
  %58 = icmp eq i64 %57, %46
  br i1 %58, label %63, label %59

59:
  %60 = icmp ule i64 %57, %46
  %61 = icmp uge i64 %57, %46
  %62 = select i1 %15, i1 %61, i1 %60
  br i1 %62, label %70, label %63

63:
  %64 = mul nsw i64 %57, %1
  %65 = getelementptr inbounds float, ptr %47, i64 %64
  %66 = getelementptr float, ptr %49, i64 %57
  %67 = select i1 %15, ptr %65, ptr %66
  %68 = load float, ptr %67, align 4
  %69 = getelementptr float, ptr %51, i64 %57
  store float %68, ptr %69, align 4
  br label %70

70:
  %71 = add nsw i64 %57, 1
  %72 = icmp eq i64 %71, %1
  br i1 %72, label %53, label %56

73:
  ret void
}
define internal ptr @gradir.s.potrs.augmented(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9) {
10:
  %11 = call ptr @gradir.s.new_tape()
  %12 = icmp eq ptr %7, null
  br i1 %12, label %13, label %14

13:
  call void @gradir.s.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, i64 %8, ptr %9)
  br label %20

14:
  %15 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %1, ptr %3, i64 %5)
  store ptr %15, ptr %11, align 8
  call void @gradir.s.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, i64 %8, ptr %9)
  %16 = icmp eq ptr %4, null
  br i1 %16, label %20, label %17

17:
  %18 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %2, ptr %6, i64 %8)
  %19 = getelementptr inbounds i8, ptr %11, i64 8
  store ptr %18, ptr %19, align 8
  br label %20

20:
  ret ptr %11
}
declare void @gradir.s.blas.potrs(i8, i64, i64, ptr, i64, ptr, i64, ptr)
define internal void @gradir.s.potrs.reverse(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9, ptr %10) {
11:
  %12 = alloca i32, align 4
  %13 = icmp ne ptr %7, null
  %14 = icmp sgt i64 %1, 0
  %15 = and i1 %14, %13
  %16 = icmp sgt i64 %2, 0
  %17 = and i1 %16, %15
  br i1 %17, label %18, label %31

18:
  %19 = load ptr, ptr %10, align 8
  call void @gradir.s.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %19, i64 %1, ptr %7, i64 %8, ptr %12)
  %20 = icmp eq ptr %4, null
  br i1 %20, label %30, label %21

21:
  %22 = call ptr @gradir.s.room(i64 %1, i64 %1)
  %23 = getelementptr inbounds i8, ptr %10, i64 8
  %24 = load ptr, ptr %23, align 8
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %2, float -1.000000e+00, ptr %7, i64 %8, ptr %24, i64 %1, float 0.000000e+00, ptr %22, i64 %1)
  %25 = load ptr, ptr %23, align 8
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %2, float -1.000000e+00, ptr %25, i64 %1, ptr %7, i64 %8, float 1.000000e+00, ptr %22, i64 %1)
  %26 = and i8 %0, -33
  %27 = icmp eq i8 %26, 85
  %28 = select i1 %27, i8 76, i8 82
  %29 = load ptr, ptr %10, align 8
  call void @gradir.s.blas.trmm(i8 %28, i8 %0, i8 78, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %29, i64 %1, ptr %22, i64 %1)
  call void @gradir.s.add_triangle(i8 %0, i8 78, i64 %1, float 1.000000e+00, ptr %22, i64 %1, ptr %4, i64 %5)
  call void @free(ptr %22)
  br label %30

30:
  br label %31

31:
  call void @gradir.s.release(ptr %10)
  ret void
}
define internal void @gradir.s.potrs.forward(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9) {
10:
  %11 = alloca i32, align 4
  call void @gradir.s.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, i64 %8, ptr %9)
  %12 = icmp eq ptr %7, null
  %13 = icmp slt i64 %1, 1
  %14 = or i1 %13, %12
  %15 = icmp slt i64 %2, 1
  %16 = or i1 %15, %14
  br i1 %16, label %27, label %17

17:
  %18 = icmp eq ptr %4, null
  br i1 %18, label %26, label %19

19:
  %20 = and i8 %0, -33
  %21 = icmp eq i8 %20, 85
  %22 = select i1 %21, i8 84, i8 78
  %23 = select i1 %21, i8 78, i8 84
  %24 = call ptr @gradir.s.triangle(i8 %0, i8 78, i64 %1, ptr %4, i64 %5)
  %25 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %2, ptr %6, i64 %8)
  call void @gradir.s.blas.trmm(i8 76, i8 %0, i8 %23, i8 78, i64 %1, i64 %2, float 1.000000e+00, ptr %3, i64 %5, ptr %25, i64 %1)
  call void @gradir.s.blas.gemm(i8 %22, i8 78, i64 %1, i64 %2, i64 %1, float -1.000000e+00, ptr %24, i64 %1, ptr %25, i64 %1, float 1.000000e+00, ptr %7, i64 %8)
  call void @gradir.s.blas.gemm(i8 %23, i8 78, i64 %1, i64 %2, i64 %1, float 1.000000e+00, ptr %24, i64 %1, ptr %6, i64 %8, float 0.000000e+00, ptr %25, i64 %1)
  call void @gradir.s.blas.trmm(i8 76, i8 %0, i8 %22, i8 78, i64 %1, i64 %2, float -1.000000e+00, ptr %3, i64 %5, ptr %25, i64 %1)
  call void @gradir.s.add(i64 %1, i64 %2, float 1.000000e+00, ptr %25, i64 %1, ptr %7, i64 %8)
  call void @free(ptr %24)
  call void @free(ptr %25)
  br label %26

26:
  call void @gradir.s.blas.potrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %7, i64 %8, ptr %11)
  br label %27

27:
  ret void
}
define internal void @gradir.s.exchange(i64 %0, ptr %1, i64 %2, i64 %3, ptr %4, i32 %5) {
6:
  %7 = icmp sgt i64 %3, 0
  br i1 %7, label %8, label %11

8:
  %9 = icmp eq i32 %5, 0
  %10 = icmp sgt i64 %0, 0
  br label %12

11:
  ret void

12:
  %13 = phi i64 [ 0, %8 ], [ %27, %26 ]
  %14 = xor i64 %13, -1
  %15 = add nsw i64 %3, %14
  %16 = select i1 %9, i64 %13, i64 %15
  %17 = getelementptr inbounds i32, ptr %4, i64 %16
  %18 = load i32, ptr %17, align 4
  %19 = add nsw i32 %18, -1
  %20 = sext i32 %19 to i64
  %21 = icmp ne i64 %16, %20
  %22 = getelementptr float, ptr %1, i64 %20
  %23 = and i1 %21, %10
  br i1 %23, label %24, label %26

24:
  %25 = getelementptr float, ptr %1, i64 %16
  br label %29

26:
  %27 = add nsw i64 %13, 1
  %28 = icmp eq i64 %27, %3
  br i1 %28, label %11, label %12

29:
  %30 = phi i64 [ 0, %24 ], [ %36, %29 ]
  %31 = mul nsw i64 %30, %2
  %32 = getelementptr float, ptr %25, i64 %31
  %33 = load float, ptr %32, align 4
  %34 = getelementptr float, ptr %22, i64 %31
  %35 = load float, ptr %34, align 4
  store float %35, ptr %32, align 4
  store float %33, ptr %34, align 4
  %36 = add nsw i64 %30, 1
  %37 = icmp slt i64 %36, %0
  br i1 %37, label %29, label %26
}
define internal ptr @gradir.s.getrf.augmented(i64 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  call void @gradir.s.blas.getrf(i64 %0, i64 %1, ptr %2, i64 %4, ptr %5, ptr %6)
  %8 = call ptr @gradir.s.new_tape()
  %9 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %10 = icmp ne ptr %3, null
  %11 = icmp sgt i64 %9, 0
  %12 = and i1 %11, %10
  br i1 %12, label %13, label %25

13:
  %14 = call ptr @gradir.s.keep_matrix(i64 %0, i64 %1, ptr %2, i64 %4)
  store ptr %14, ptr %8, align 8
  %15 = shl i64 %9, 2
  %16 = call ptr @malloc(i64 %15)
  %17 = getelementptr inbounds i8, ptr %8, i64 8
  store ptr %16, ptr %17, align 8
  br label %18

18:
  %19 = phi i64 [ 0, %13 ], [ %23, %18 ]
  %20 = getelementptr inbounds i32, ptr %5, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = getelementptr inbounds i32, ptr %16, i64 %19
  store i32 %21, ptr %22, align 4
  %23 = add nsw i64 %19, 1
  %24 = icmp eq i64 %23, %9
  br i1 %24, label %25, label %18

25:
  ret ptr %8
}
declare void @gradir.s.blas.getrf(i64, i64, ptr, i64, ptr, ptr)
define internal void @gradir.s.getrf.reverse(i64 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5, ptr %6, ptr %7) {
8:
  %9 = icmp slt i64 %0, %1
  %10 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %11 = icmp ne ptr %3, null
  %12 = icmp sgt i64 %10, 0
  %13 = and i1 %12, %11
  br i1 %13, label %14, label %81

14:
  %15 = load ptr, ptr %7, align 8
  %16 = call ptr @gradir.s.room(i64 %10, i64 %10)
  %17 = call ptr @gradir.s.room(i64 %10, i64 %10)
  %18 = icmp slt i64 %1, %0
  br i1 %18, label %19, label %23

19:
  %20 = sub nsw i64 %0, %10
  %21 = getelementptr inbounds float, ptr %3, i64 %10
  call void @gradir.s.blas.trsm(i8 82, i8 85, i8 84, i8 78, i64 %20, i64 %10, float 1.000000e+00, ptr %15, i64 %0, ptr %21, i64 %4)
  %22 = getelementptr inbounds float, ptr %15, i64 %10
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %10, i64 %10, i64 %20, float -1.000000e+00, ptr %22, i64 %0, ptr %21, i64 %4, float 0.000000e+00, ptr %16, i64 %10)
  call void @gradir.s.add_triangle(i8 85, i8 78, i64 %10, float 1.000000e+00, ptr %16, i64 %10, ptr %3, i64 %4)
  br label %23

23:
  br i1 %9, label %24, label %30

24:
  %25 = sub nsw i64 %1, %10
  %26 = mul nsw i64 %4, %10
  %27 = getelementptr inbounds float, ptr %3, i64 %26
  call void @gradir.s.blas.trsm(i8 76, i8 76, i8 84, i8 85, i64 %10, i64 %25, float 1.000000e+00, ptr %15, i64 %0, ptr %27, i64 %4)
  %28 = mul nsw i64 %10, %0
  %29 = getelementptr inbounds float, ptr %15, i64 %28
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %10, i64 %10, i64 %25, float -1.000000e+00, ptr %27, i64 %4, ptr %29, i64 %0, float 0.000000e+00, ptr %16, i64 %10)
  call void @gradir.s.add_triangle(i8 76, i8 85, i64 %10, float 1.000000e+00, ptr %16, i64 %10, ptr %3, i64 %4)
  br label %30

30:
  br label %31

31:
  %32 = phi i64 [ %39, %38 ], [ 0, %30 ]
  %33 = mul nsw i64 %32, %10
  %34 = mul nsw i64 %32, %4
  %35 = getelementptr float, ptr %3, i64 %34
  br label %41

36:
  call void @gradir.s.blas.trmm(i8 76, i8 76, i8 84, i8 85, i64 %10, i64 %10, float 1.000000e+00, ptr %15, i64 %0, ptr %16, i64 %10)
  call void @gradir.s.blas.trmm(i8 82, i8 85, i8 84, i8 78, i64 %10, i64 %10, float 1.000000e+00, ptr %15, i64 %0, ptr %17, i64 %10)
  %37 = call i64 @llvm.smax.i64(i64 %10, i64 1)
  br label %60

38:
  %39 = add nsw i64 %32, 1
  %40 = icmp eq i64 %39, %10
  br i1 %40, label %36, label %31

41:
  %42 = phi i64 [ 0, %31 ], [ %58, %54 ]
  %43 = icmp ugt i64 %42, %32
  br i1 %43, label %44, label %49

44:
  %45 = getelementptr float, ptr %35, i64 %42
  %46 = load float, ptr %45, align 4
  %47 = add nsw i64 %42, %33
  %48 = getelementptr inbounds float, ptr %16, i64 %47
  store float %46, ptr %48, align 4
  br label %54

49:
  %50 = add nsw i64 %42, %33
  %51 = getelementptr inbounds float, ptr %16, i64 %50
  store float 0.000000e+00, ptr %51, align 4
  %52 = getelementptr float, ptr %35, i64 %42
  %53 = load float, ptr %52, align 4
  br label %54

54:
  %55 = phi i64 [ %50, %49 ], [ %47, %44 ]
  %56 = phi float [ %53, %49 ], [ 0.000000e+00, %44 ]
  %57 = getelementptr inbounds float, ptr %17, i64 %55
  store float %56, ptr %57, align 4
  %58 = add nsw i64 %42, 1
  %59 = icmp eq i64 %58, %10
  br i1 %59, label %38, label %41

60:
  %61 = phi i64 [ 0, %36 ], [ %69, %68 ]
  %62 = mul nsw i64 %61, %10
  %63 = mul nsw i64 %61, %4
  %64 = getelementptr float, ptr %3, i64 %63
  br label %71

65:
  call void @gradir.s.blas.trsm(i8 76, i8 76, i8 84, i8 85, i64 %10, i64 %10, float 1.000000e+00, ptr %15, i64 %0, ptr %3, i64 %4)
  call void @gradir.s.blas.trsm(i8 82, i8 85, i8 84, i8 78, i64 %10, i64 %10, float 1.000000e+00, ptr %15, i64 %0, ptr %3, i64 %4)
  %66 = getelementptr inbounds i8, ptr %7, i64 8
  %67 = load ptr, ptr %66, align 8
  call void @gradir.s.exchange(i64 %1, ptr %3, i64 %4, i64 %10, ptr %67, i32 1)
  call void @free(ptr %16)
  call void @free(ptr %17)
  br label %81

68:
  %69 = add nsw i64 %61, 1
  %70 = icmp eq i64 %69, %37
  br i1 %70, label %65, label %60

71:
  %72 = phi i64 [ 0, %60 ], [ %79, %71 ]
  %73 = icmp ugt i64 %72, %61
  %74 = select i1 %73, ptr %16, ptr %17
  %75 = getelementptr inbounds float, ptr %74, i64 %72
  %76 = getelementptr inbounds float, ptr %75, i64 %62
  %77 = load float, ptr %76, align 4
  %78 = getelementptr float, ptr %64, i64 %72
  store float %77, ptr %78, align 4
  %79 = add nsw i64 %72, 1
  %80 = icmp eq i64 %79, %37
  br i1 %80, label %68, label %71

81:
  call void @gradir.s.release(ptr %7)
  ret void
}
define internal void @gradir.s.getrf.forward(i64 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  call void @gradir.s.blas.getrf(i64 %0, i64 %1, ptr %2, i64 %4, ptr %5, ptr %6)
  %8 = icmp slt i64 %0, %1
  %9 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %10 = icmp eq ptr %3, null
  %11 = icmp slt i64 %9, 1
  %12 = or i1 %11, %10
  br i1 %12, label %65, label %13

13:
  call void @gradir.s.exchange(i64 %1, ptr %3, i64 %4, i64 %9, ptr %5, i32 0)
  %14 = call ptr @gradir.s.keep_matrix(i64 %9, i64 %9, ptr %3, i64 %4)
  %15 = call ptr @gradir.s.room(i64 %9, i64 %9)
  call void @gradir.s.blas.trsm(i8 76, i8 76, i8 78, i8 85, i64 %9, i64 %9, float 1.000000e+00, ptr %2, i64 %4, ptr %14, i64 %9)
  call void @gradir.s.blas.trsm(i8 82, i8 85, i8 78, i8 78, i64 %9, i64 %9, float 1.000000e+00, ptr %2, i64 %4, ptr %14, i64 %9)
  br label %16

16:
  %17 = phi i64 [ 1, %13 ], [ %24, %22 ]
  %18 = phi i64 [ 0, %13 ], [ %23, %22 ]
  %19 = mul nsw i64 %18, %9
  br label %26

20:
  call void @gradir.s.blas.trmm(i8 76, i8 76, i8 78, i8 85, i64 %9, i64 %9, float 1.000000e+00, ptr %2, i64 %4, ptr %14, i64 %9)
  call void @gradir.s.blas.trmm(i8 82, i8 85, i8 78, i8 78, i64 %9, i64 %9, float 1.000000e+00, ptr %2, i64 %4, ptr %15, i64 %9)
  %21 = icmp slt i64 %1, %0
  br i1 %21, label %34, label %38

22:
  %23 = add nsw i64 %18, 1
  %24 = add i64 %17, 1
  %25 = icmp eq i64 %23, %9
  br i1 %25, label %20, label %16

26:
  %27 = phi i64 [ 0, %16 ], [ %32, %26 ]
  %28 = add nsw i64 %27, %19
  %29 = getelementptr inbounds float, ptr %14, i64 %28
  %30 = load float, ptr %29, align 4
  %31 = getelementptr inbounds float, ptr %15, i64 %28
  store float %30, ptr %31, align 4
  store float 0.000000e+00, ptr %29, align 4
  %32 = add nsw i64 %27, 1
  %33 = icmp eq i64 %32, %17
  br i1 %33, label %22, label %26

34:
  %35 = sub nsw i64 %0, %9
  %36 = getelementptr inbounds float, ptr %2, i64 %9
  %37 = getelementptr inbounds float, ptr %3, i64 %9
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %35, i64 %9, i64 %9, float -1.000000e+00, ptr %36, i64 %4, ptr %15, i64 %9, float 1.000000e+00, ptr %37, i64 %4)
  call void @gradir.s.blas.trsm(i8 82, i8 85, i8 78, i8 78, i64 %35, i64 %9, float 1.000000e+00, ptr %2, i64 %4, ptr %37, i64 %4)
  br label %38

38:
  br i1 %8, label %39, label %44

39:
  %40 = sub nsw i64 %1, %9
  %41 = mul nsw i64 %4, %9
  %42 = getelementptr inbounds float, ptr %2, i64 %41
  %43 = getelementptr inbounds float, ptr %3, i64 %41
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %9, i64 %40, i64 %9, float -1.000000e+00, ptr %14, i64 %9, ptr %42, i64 %4, float 1.000000e+00, ptr %43, i64 %4)
  call void @gradir.s.blas.trsm(i8 76, i8 76, i8 78, i8 85, i64 %9, i64 %40, float 1.000000e+00, ptr %2, i64 %4, ptr %43, i64 %4)
  br label %44

44:
  br label %45

45:
  %46 = phi i64 [ %52, %51 ], [ 0, %44 ]
  %47 = mul nsw i64 %46, %9
  %48 = mul nsw i64 %46, %4
  %49 = getelementptr float, ptr %3, i64 %48
  br label %54

50:
  call void @free(ptr %14)
  call void @free(ptr %15)
  br label %65

51:
  %52 = add nsw i64 %46, 1
  %53 = icmp eq i64 %52, %9
  br i1 %53, label %50, label %45

54:
  %55 = phi i64 [ 0, %45 ], [ %63, %54 ]
  %56 = add nsw i64 %55, %47
  %57 = getelementptr inbounds float, ptr %14, i64 %56
  %58 = load float, ptr %57, align 4
  %59 = getelementptr inbounds float, ptr %15, i64 %56
  %60 = load float, ptr %59, align 4
  %61 = fadd float %58, %60
  %62 = getelementptr float, ptr %49, i64 %55
  store float %61, ptr %62, align 4
  %63 = add nsw i64 %55, 1
  %64 = icmp eq i64 %63, %9
  br i1 %64, label %51, label %54

65:
  ret void
}
define internal ptr @gradir.s.getrs.augmented(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = call ptr @gradir.s.new_tape()
  %13 = icmp ne ptr %8, null
  %14 = icmp sgt i64 %1, 0
  %15 = and i1 %14, %13
  br i1 %15, label %16, label %28

16:
  %17 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %1, ptr %3, i64 %5)
  store ptr %17, ptr %12, align 8
  %18 = shl i64 %1, 2
  %19 = call ptr @malloc(i64 %18)
  %20 = getelementptr inbounds i8, ptr %12, i64 16
  store ptr %19, ptr %20, align 8
  br label %21

21:
  %22 = phi i64 [ 0, %16 ], [ %26, %21 ]
  %23 = getelementptr inbounds i32, ptr %6, i64 %22
  %24 = load i32, ptr %23, align 4
  %25 = getelementptr inbounds i32, ptr %19, i64 %22
  store i32 %24, ptr %25, align 4
  %26 = add nsw i64 %22, 1
  %27 = icmp eq i64 %26, %1
  br i1 %27, label %28, label %21

28:
  call void @gradir.s.blas.getrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %7, i64 %9, ptr %10)
  %29 = icmp ne ptr %4, null
  %30 = and i1 %29, %13
  br i1 %30, label %31, label %34

31:
  %32 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %2, ptr %7, i64 %9)
  %33 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %32, ptr %33, align 8
  br label %34

34:
  ret ptr %12
}
declare void @gradir.s.blas.getrs(i8, i64, i64, ptr, i64, ptr, ptr, i64, ptr)
define internal void @gradir.s.getrs.reverse(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10, ptr %11) {
12:
  %13 = alloca i32, align 4
  %14 = icmp ne ptr %8, null
  %15 = icmp sgt i64 %1, 0
  %16 = and i1 %15, %14
  %17 = icmp sgt i64 %2, 0
  %18 = and i1 %17, %16
  br i1 %18, label %19, label %38

19:
  %20 = getelementptr inbounds i8, ptr %11, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = and i8 %0, -33
  %23 = icmp eq i8 %22, 78
  %24 = select i1 %23, i8 84, i8 78
  %25 = load ptr, ptr %11, align 8
  call void @gradir.s.blas.getrs(i8 %24, i64 %1, i64 %2, ptr %25, i64 %1, ptr %21, ptr %8, i64 %9, ptr %13)
  %26 = icmp eq ptr %4, null
  br i1 %26, label %37, label %27

27:
  %28 = call ptr @gradir.s.room(i64 %1, i64 %1)
  %29 = getelementptr inbounds i8, ptr %11, i64 8
  %30 = load ptr, ptr %29, align 8
  br i1 %23, label %32, label %31

31:
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %2, float -1.000000e+00, ptr %30, i64 %1, ptr %8, i64 %9, float 0.000000e+00, ptr %28, i64 %1)
  br label %33

32:
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %2, float -1.000000e+00, ptr %8, i64 %9, ptr %30, i64 %1, float 0.000000e+00, ptr %28, i64 %1)
  br label %33

33:
  call void @gradir.s.exchange(i64 %1, ptr %28, i64 %1, i64 %1, ptr %21, i32 0)
  %34 = call ptr @gradir.s.keep_matrix(i64 %1, i64 %1, ptr %28, i64 %1)
  %35 = load ptr, ptr %11, align 8
  call void @gradir.s.blas.trmm(i8 82, i8 85, i8 84, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %35, i64 %1, ptr %28, i64 %1)
  %36 = load ptr, ptr %11, align 8
  call void @gradir.s.blas.trmm(i8 76, i8 76, i8 84, i8 85, i64 %1, i64 %1, float 1.000000e+00, ptr %36, i64 %1, ptr %34, i64 %1)
  call void @gradir.s.add_triangle(i8 76, i8 85, i64 %1, float 1.000000e+00, ptr %28, i64 %1, ptr %4, i64 %5)
  call void @gradir.s.add_triangle(i8 85, i8 78, i64 %1, float 1.000000e+00, ptr %34, i64 %1, ptr %4, i64 %5)
  call void @free(ptr %28)
  call void @free(ptr %34)
  br label %37

37:
  br label %38

38:
  call void @gradir.s.release(ptr %11)
  ret void
}
define internal void @gradir.s.getrs.forward(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, i64 %9, ptr %10) {
11:
  %12 = alloca i32, align 4
  call void @gradir.s.blas.getrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %7, i64 %9, ptr %10)
  %13 = icmp eq ptr %8, null
  %14 = icmp slt i64 %1, 1
  %15 = or i1 %14, %13
  %16 = icmp slt i64 %2, 1
  %17 = or i1 %16, %15
  br i1 %17, label %24, label %18

18:
  %19 = icmp eq ptr %4, null
  br i1 %19, label %23, label %20

20:
  %21 = call ptr @gradir.s.triangle(i8 76, i8 85, i64 %1, ptr %4, i64 %5)
  %22 = call ptr @gradir.s.triangle(i8 85, i8 78, i64 %1, ptr %4, i64 %5)
  call void @gradir.s.blas.trmm(i8 82, i8 85, i8 78, i8 78, i64 %1, i64 %1, float 1.000000e+00, ptr %3, i64 %5, ptr %21, i64 %1)
  call void @gradir.s.blas.trmm(i8 76, i8 76, i8 78, i8 85, i64 %1, i64 %1, float 1.000000e+00, ptr %3, i64 %5, ptr %22, i64 %1)
  call void @gradir.s.add(i64 %1, i64 %1, float 1.000000e+00, ptr %22, i64 %1, ptr %21, i64 %1)
  call void @gradir.s.exchange(i64 %1, ptr %21, i64 %1, i64 %1, ptr %6, i32 1)
  call void @gradir.s.blas.gemm(i8 %0, i8 78, i64 %1, i64 %2, i64 %1, float -1.000000e+00, ptr %21, i64 %1, ptr %7, i64 %9, float 1.000000e+00, ptr %8, i64 %9)
  call void @free(ptr %21)
  call void @free(ptr %22)
  br label %23

23:
  call void @gradir.s.blas.getrs(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %8, i64 %9, ptr %12)
  br label %24

24:
  ret void
}
define internal void @gradir.s.clear_matrix(i64 %0, i64 %1, ptr %2, i64 %3) {
4:
  %5 = icmp eq ptr %2, null
  br i1 %5, label %7, label %6

6:
  call void @gradir.s.scale(i64 %0, i64 %1, float 0.000000e+00, ptr %2, i64 %3)
  br label %7

7:
  ret void
}
define internal void @gradir.s.clear_work(i64 %0, i64 %1, ptr %2) {
3:
  %4 = icmp eq i64 %0, -1
  %5 = icmp eq i64 %1, -1
  %6 = or i1 %4, %5
  %7 = select i1 %6, i64 1, i64 %0
  call void @gradir.s.clear_matrix(i64 %7, i64 1, ptr %2, i64 1)
  ret void
}
define internal ptr @gradir.s.spectrum(i32 %0, i32 %1, i8 %2, i64 %3, ptr %4, i64 %5, i64 %6, i64 %7) {
8:
  %9 = alloca i32, align 4
  %10 = icmp eq i64 %6, -1
  %11 = icmp eq i64 %7, -1
  %12 = or i1 %10, %11
  %13 = icmp slt i64 %3, 1
  %14 = or i1 %13, %12
  br i1 %14, label %28, label %15

15:
  %16 = call ptr @gradir.s.new_tape()
  %17 = icmp eq i32 %0, 0
  br i1 %17, label %28, label %18

18:
  %19 = call ptr @gradir.s.room(i64 %3, i64 1)
  %20 = getelementptr inbounds i8, ptr %16, i64 8
  store ptr %19, ptr %20, align 8
  %21 = icmp eq i32 %1, 0
  br i1 %21, label %24, label %22

22:
  %23 = call ptr @gradir.s.room(i64 %3, i64 %3)
  store ptr %23, ptr %16, align 8
  br label %28

24:
  %25 = call ptr @gradir.s.keep_matrix(i64 %3, i64 %3, ptr %4, i64 %5)
  store ptr %25, ptr %16, align 8
  %26 = mul nsw i64 %3, 3
  %27 = call ptr @gradir.s.room(i64 %26, i64 1)
  call void @gradir.s.blas.syev(i8 86, i8 %2, i64 %3, ptr %25, i64 %3, ptr %19, ptr %27, i64 %26, ptr %9)
  call void @free(ptr %27)
  br label %28

28:
  %29 = phi ptr [ null, %8 ], [ %16, %22 ], [ %16, %24 ], [ %16, %15 ]
  ret ptr %29
}
declare void @gradir.s.blas.syev(i8, i8, i64, ptr, i64, ptr, ptr, i64, ptr)
define internal void @gradir.s.told_spectrum(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5) {
6:
  %7 = icmp eq ptr %0, null
  br i1 %7, label %65, label %8

8:
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %65, label %12

12:
  %13 = icmp sge i64 %2, %1
  %14 = icmp slt i64 %2, 1
  %15 = or i1 %13, %14
  br i1 %15, label %34, label %16

16:
  %17 = load float, ptr %3, align 4
  br label %18

18:
  %19 = phi i64 [ 1, %16 ], [ %31, %18 ]
  %20 = phi i64 [ 0, %16 ], [ %30, %18 ]
  %21 = getelementptr inbounds float, ptr %10, i64 %19
  %22 = load float, ptr %21, align 4
  %23 = fsub float %22, %17
  %24 = call float @llvm.fabs.f32(float %23)
  %25 = getelementptr inbounds float, ptr %10, i64 %20
  %26 = load float, ptr %25, align 4
  %27 = fsub float %26, %17
  %28 = call float @llvm.fabs.f32(float %27)
  %29 = fcmp olt float %24, %28
  %30 = select i1 %29, i64 %19, i64 %20
  %31 = add nsw i64 %19, 1
  %32 = add nsw i64 %31, %2
  %33 = icmp sgt i64 %32, %1
  br i1 %33, label %34, label %18

34:
  %35 = phi i64 [ 0, %12 ], [ %30, %18 ]
  %36 = getelementptr inbounds i8, ptr %0, i64 24
  store i64 %35, ptr %36, align 8
  %37 = getelementptr inbounds i8, ptr %0, i64 32
  store i64 %2, ptr %37, align 8
  %38 = icmp ne ptr %4, null
  %39 = icmp sgt i64 %2, 0
  %40 = and i1 %38, %39
  br i1 %40, label %41, label %65

41:
  %42 = icmp sgt i64 %1, 0
  br label %43

43:
  %44 = phi i64 [ 0, %41 ], [ %56, %55 ]
  %45 = getelementptr inbounds float, ptr %3, i64 %44
  %46 = load float, ptr %45, align 4
  %47 = add nsw i64 %44, %35
  %48 = getelementptr inbounds float, ptr %10, i64 %47
  store float %46, ptr %48, align 4
  br i1 %42, label %49, label %55

49:
  %50 = mul nsw i64 %44, %5
  %51 = getelementptr float, ptr %4, i64 %50
  %52 = load ptr, ptr %0, align 8
  %53 = mul nsw i64 %47, %1
  %54 = getelementptr float, ptr %52, i64 %53
  br label %58

55:
  %56 = add nsw i64 %44, 1
  %57 = icmp slt i64 %56, %2
  br i1 %57, label %43, label %65

58:
  %59 = phi i64 [ 0, %49 ], [ %63, %58 ]
  %60 = getelementptr float, ptr %51, i64 %59
  %61 = load float, ptr %60, align 4
  %62 = getelementptr float, ptr %54, i64 %59
  store float %61, ptr %62, align 4
  %63 = add nsw i64 %59, 1
  %64 = icmp eq i64 %63, %1
  br i1 %64, label %55, label %58

65:
  ret void
}
declare float @llvm.fabs.f32(float)
define internal void @gradir.s.spectrum_reverse(i8 %0, i64 %1, ptr %2, i64 %3, ptr %4, ptr %5, ptr %6) {
7:
  %8 = getelementptr inbounds i8, ptr %6, i64 32
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds i8, ptr %6, i64 24
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %6, i64 8
  %13 = load ptr, ptr %12, align 8
  %14 = icmp eq ptr %13, null
  %15 = icmp slt i64 %9, 1
  %16 = select i1 %14, i1 true, i1 %15
  br i1 %16, label %87, label %17

17:
  %18 = load ptr, ptr %6, align 8
  %19 = mul nsw i64 %11, %1
  %20 = getelementptr inbounds float, ptr %18, i64 %19
  %21 = call ptr @gradir.s.room(i64 %1, i64 %9)
  %22 = call ptr @gradir.s.room(i64 %1, i64 %9)
  %23 = call ptr @gradir.s.room(i64 %1, i64 %1)
  %24 = icmp eq ptr %5, null
  br i1 %24, label %26, label %25

25:
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %1, i64 %9, i64 %1, float 1.000000e+00, ptr %18, i64 %1, ptr %5, i64 %1, float 0.000000e+00, ptr %21, i64 %1)
  br label %26

26:
  %27 = icmp sgt i64 %1, 0
  %28 = icmp eq ptr %4, null
  br label %29

29:
  %30 = phi i64 [ 0, %26 ], [ %41, %40 ]
  br i1 %27, label %31, label %40

31:
  %32 = add nsw i64 %30, %11
  %33 = getelementptr inbounds float, ptr %13, i64 %32
  %34 = mul nsw i64 %30, %1
  %35 = getelementptr float, ptr %21, i64 %32
  %36 = getelementptr inbounds float, ptr %4, i64 %30
  %37 = getelementptr float, ptr %22, i64 %34
  %38 = load float, ptr %33, align 4
  br label %43

39:
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %1, i64 %9, i64 %1, float 1.000000e+00, ptr %18, i64 %1, ptr %22, i64 %1, float 0.000000e+00, ptr %21, i64 %1)
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %1, i64 %1, i64 %9, float 1.000000e+00, ptr %21, i64 %1, ptr %20, i64 %1, float 0.000000e+00, ptr %23, i64 %1)
  call void @gradir.s.add_folded(i8 %0, i64 %1, float 1.000000e+00, ptr %23, i64 %1, ptr %2, i64 %3)
  call void @gradir.s.clear_matrix(i64 %9, i64 1, ptr %4, i64 %9)
  call void @free(ptr %21)
  call void @free(ptr %22)
  call void @free(ptr %23)
  br label %87

40:
  %41 = add nsw i64 %30, 1
  %42 = icmp eq i64 %41, %9
  br i1 %42, label %39, label %29

43:
  %44 = phi i64 [ 0, %31 ], [ %85, %84 ]
  %45 = sub nsw i64 %44, %11
  %46 = getelementptr inbounds float, ptr %13, i64 %44
  %47 = load float, ptr %46, align 4
  %48 = fsub float %38, %47
  %49 = icmp eq i64 %45, %30
  br i1 %49, label %50, label %56

50:
  br i1 %28, label %53, label %51

51:
  %52 = load float, ptr %36, align 4
  br label %53

53:
  %54 = phi float [ %52, %51 ], [ 0.000000e+00, %50 ]
  %55 = getelementptr float, ptr %37, i64 %44
  store float %54, ptr %55, align 4
  br label %84

56:
  %57 = icmp sgt i64 %45, -1
  %58 = icmp slt i64 %45, %9
  %59 = select i1 %57, i1 %58, i1 false
  %60 = add nsw i64 %44, %34
  %61 = getelementptr inbounds float, ptr %21, i64 %60
  %62 = load float, ptr %61, align 4
  br i1 %59, label %71, label %63

63:
  %64 = fcmp oeq float %62, 0.000000e+00
  %65 = fcmp oeq float %48, 0.000000e+00
  %66 = and i1 %65, %64
  %67 = fmul float %62, 0x47B0000000000000
  %68 = fdiv float %62, %48
  %69 = select i1 %66, float %67, float %68
  %70 = getelementptr inbounds float, ptr %22, i64 %60
  store float %69, ptr %70, align 4
  br label %84

71:
  %72 = mul nsw i64 %45, %1
  %73 = getelementptr float, ptr %35, i64 %72
  %74 = load float, ptr %73, align 4
  %75 = fsub float %62, %74
  %76 = fcmp oeq float %75, 0.000000e+00
  %77 = fcmp oeq float %48, 0.000000e+00
  %78 = and i1 %77, %76
  %79 = fmul float %75, 0x47B0000000000000
  %80 = fdiv float %75, %48
  %81 = select i1 %78, float %79, float %80
  %82 = fmul float %81, 5.000000e-01
  %83 = getelementptr inbounds float, ptr %22, i64 %60
  store float %82, ptr %83, align 4
  br label %84

84:
  %85 = add nsw i64 %44, 1
  %86 = icmp eq i64 %85, %1
  br i1 %86, label %40, label %43

87:
  ret void
}
define internal void @gradir.s.spectrum_forward(i8 %0, i64 %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7) {
8:
  %9 = getelementptr inbounds i8, ptr %7, i64 32
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds i8, ptr %7, i64 24
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  %16 = icmp slt i64 %10, 1
  %17 = select i1 %15, i1 true, i1 %16
  br i1 %17, label %84, label %18

18:
  %19 = load ptr, ptr %7, align 8
  %20 = mul nsw i64 %12, %1
  %21 = getelementptr inbounds float, ptr %19, i64 %20
  %22 = call ptr @gradir.s.unfolded(i8 %0, i64 %1, ptr %2, i64 %3)
  %23 = call ptr @gradir.s.room(i64 %1, i64 %10)
  %24 = call ptr @gradir.s.room(i64 %1, i64 %10)
  %25 = icmp sgt i64 %1, 0
  br i1 %25, label %26, label %28

26:
  %27 = add i64 %1, 1
  br label %33

28:
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %1, i64 %10, i64 %1, float 1.000000e+00, ptr %22, i64 %1, ptr %21, i64 %1, float 0.000000e+00, ptr %24, i64 %1)
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %1, i64 %10, i64 %1, float 1.000000e+00, ptr %19, i64 %1, ptr %24, i64 %1, float 0.000000e+00, ptr %23, i64 %1)
  %29 = icmp eq ptr %4, null
  %30 = getelementptr float, ptr %23, i64 %12
  %31 = icmp ne ptr %5, null
  %32 = and i1 %31, %25
  br label %43

33:
  %34 = phi i64 [ 0, %26 ], [ %39, %33 ]
  %35 = mul i64 %34, %27
  %36 = getelementptr inbounds float, ptr %22, i64 %35
  %37 = load float, ptr %36, align 4
  %38 = fmul float %37, 5.000000e-01
  store float %38, ptr %36, align 4
  %39 = add nsw i64 %34, 1
  %40 = icmp eq i64 %39, %1
  br i1 %40, label %28, label %33

41:
  %42 = icmp eq ptr %5, null
  br i1 %42, label %83, label %82

43:
  %44 = phi i64 [ 0, %28 ], [ %59, %58 ]
  br i1 %29, label %51, label %45

45:
  %46 = mul nsw i64 %44, %1
  %47 = getelementptr float, ptr %30, i64 %44
  %48 = getelementptr float, ptr %47, i64 %46
  %49 = load float, ptr %48, align 4
  %50 = getelementptr inbounds float, ptr %4, i64 %44
  store float %49, ptr %50, align 4
  br label %51

51:
  br i1 %32, label %52, label %58

52:
  %53 = add nsw i64 %44, %12
  %54 = mul nsw i64 %44, %1
  %55 = getelementptr float, ptr %23, i64 %54
  %56 = getelementptr inbounds float, ptr %14, i64 %53
  %57 = getelementptr float, ptr %24, i64 %54
  br label %61

58:
  %59 = add nsw i64 %44, 1
  %60 = icmp eq i64 %59, %10
  br i1 %60, label %41, label %43

61:
  %62 = phi i64 [ 0, %52 ], [ %80, %77 ]
  %63 = icmp eq i64 %62, %53
  br i1 %63, label %77, label %64

64:
  %65 = getelementptr float, ptr %55, i64 %62
  %66 = load float, ptr %65, align 4
  %67 = load float, ptr %56, align 4
  %68 = getelementptr inbounds float, ptr %14, i64 %62
  %69 = load float, ptr %68, align 4
  %70 = fsub float %67, %69
  %71 = fcmp oeq float %66, 0.000000e+00
  %72 = fcmp oeq float %70, 0.000000e+00
  %73 = and i1 %71, %72
  %74 = fmul float %66, 0x47B0000000000000
  %75 = fdiv float %66, %70
  %76 = select i1 %73, float %74, float %75
  br label %77

77:
  %78 = phi float [ %76, %64 ], [ 0.000000e+00, %61 ]
  %79 = getelementptr float, ptr %57, i64 %62
  store float %78, ptr %79, align 4
  %80 = add nsw i64 %62, 1
  %81 = icmp slt i64 %80, %1
  br i1 %81, label %61, label %58

82:
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %1, i64 %10, i64 %1, float 1.000000e+00, ptr %19, i64 %1, ptr %24, i64 %1, float 0.000000e+00, ptr %5, i64 %6)
  br label %83

83:
  call void @free(ptr %22)
  call void @free(ptr %23)
  call void @free(ptr %24)
  br label %84

84:
  ret void
}
define internal void @gradir.s.clear_triangle(i8 %0, i64 %1, ptr %2, i64 %3) {
4:
  %5 = icmp ne ptr %2, null
  %6 = icmp sgt i64 %1, 0
  %7 = and i1 %5, %6
  br i1 %7, label %8, label %15

8:
  %9 = and i8 %0, -33
  %10 = icmp eq i8 %9, 85
  br label %11

11:
  %12 = phi i64 [ 0, %8 ], [ %17, %16 ]
  %13 = mul nsw i64 %12, %3
  %14 = getelementptr float, ptr %2, i64 %13
  br label %19

15:
  ret void

16:
  %17 = add nsw i64 %12, 1
  %18 = icmp slt i64 %17, %1
  br i1 %18, label %11, label %15

19:
  %20 = phi i64 [ 0, %11 ], [ %29, %28 ]
  %21 = icmp eq i64 %20, %12
  br i1 %21, label %26, label %22

22:
  %23 = icmp ule i64 %20, %12
  %24 = icmp uge i64 %20, %12
  %25 = select i1 %10, i1 %24, i1 %23
  br i1 %25, label %28, label %26

26:
  %27 = getelementptr float, ptr %14, i64 %20
  store float 0.000000e+00, ptr %27, align 4
  br label %28

28:
  %29 = add nsw i64 %20, 1
  %30 = icmp eq i64 %29, %1
  br i1 %30, label %16, label %19
}
define internal void @gradir.s.syev_reverse(i8 %0, i8 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  %8 = icmp eq ptr %6, null
  br i1 %8, label %25, label %9

9:
  %10 = and i8 %0, -33
  %11 = icmp eq i8 %10, 86
  %12 = icmp ne ptr %3, null
  %13 = and i1 %11, %12
  br i1 %13, label %14, label %16

14:
  %15 = call ptr @gradir.s.keep_matrix(i64 %2, i64 %2, ptr %3, i64 %4)
  br label %17

16:
  br i1 %11, label %17, label %19

17:
  %18 = phi ptr [ %15, %14 ], [ null, %16 ]
  call void @gradir.s.clear_matrix(i64 %2, i64 %2, ptr %3, i64 %4)
  br label %20

19:
  call void @gradir.s.clear_triangle(i8 %1, i64 %2, ptr %3, i64 %4)
  br label %20

20:
  %21 = phi ptr [ null, %19 ], [ %18, %17 ]
  br i1 %12, label %22, label %23

22:
  call void @gradir.s.spectrum_reverse(i8 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %21, ptr %6)
  br label %24

23:
  call void @gradir.s.clear_matrix(i64 %2, i64 1, ptr %5, i64 %2)
  br label %24

24:
  call void @free(ptr %21)
  call void @gradir.s.release(ptr %6)
  br label %25

25:
  ret void
}
define internal void @gradir.s.syev_forward(i8 %0, i8 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %6) {
7:
  %8 = icmp eq ptr %6, null
  br i1 %8, label %19, label %9

9:
  %10 = and i8 %0, -33
  %11 = icmp eq i8 %10, 86
  %12 = icmp eq ptr %3, null
  br i1 %12, label %15, label %13

13:
  %14 = select i1 %11, ptr %3, ptr null
  call void @gradir.s.spectrum_forward(i8 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %14, i64 %4, ptr %6)
  br label %16

15:
  call void @gradir.s.clear_matrix(i64 %2, i64 1, ptr %5, i64 %2)
  br label %16

16:
  br i1 %11, label %18, label %17

17:
  call void @gradir.s.clear_triangle(i8 %1, i64 %2, ptr %3, i64 %4)
  br label %18

18:
  call void @gradir.s.release(ptr %6)
  br label %19

19:
  ret void
}
define internal ptr @gradir.s.syev.augmented(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11) {
12:
  %13 = icmp ne ptr %4, null
  %14 = zext i1 %13 to i32
  %15 = and i8 %0, -33
  %16 = icmp eq i8 %15, 86
  %17 = zext i1 %16 to i32
  %18 = call ptr @gradir.s.spectrum(i32 %14, i32 %17, i8 %1, i64 %2, ptr %3, i64 %5, i64 %10, i64 0)
  call void @gradir.s.blas.syev(i8 %0, i8 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %8, i64 %10, ptr %11)
  %19 = select i1 %16, ptr %3, ptr null
  call void @gradir.s.told_spectrum(ptr %18, i64 %2, i64 %2, ptr %6, ptr %19, i64 %5)
  ret ptr %18
}
define internal void @gradir.s.syev.reverse(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12) {
13:
  call void @gradir.s.clear_work(i64 %10, i64 0, ptr %9)
  call void @gradir.s.syev_reverse(i8 %0, i8 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr %12)
  ret void
}
define internal void @gradir.s.syev.forward(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11) {
12:
  %13 = call ptr @gradir.s.syev.augmented(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr poison, ptr %8, ptr poison, i64 %10, ptr %11)
  call void @gradir.s.clear_work(i64 %10, i64 0, ptr %9)
  call void @gradir.s.syev_forward(i8 %0, i8 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr %13)
  ret void
}
define internal ptr @gradir.s.syevd.augmented(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, i64 %12, ptr %13) {
14:
  %15 = icmp ne ptr %4, null
  %16 = zext i1 %15 to i32
  %17 = and i8 %0, -33
  %18 = icmp eq i8 %17, 86
  %19 = zext i1 %18 to i32
  %20 = call ptr @gradir.s.spectrum(i32 %16, i32 %19, i8 %1, i64 %2, ptr %3, i64 %5, i64 %10, i64 %12)
  call void @gradir.s.blas.syevd(i8 %0, i8 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %8, i64 %10, ptr %11, i64 %12, ptr %13)
  %21 = select i1 %18, ptr %3, ptr null
  call void @gradir.s.told_spectrum(ptr %20, i64 %2, i64 %2, ptr %6, ptr %21, i64 %5)
  ret ptr %20
}
declare void @gradir.s.blas.syevd(i8, i8, i64, ptr, i64, ptr, ptr, i64, ptr, i64, ptr)
define internal void @gradir.s.syevd.reverse(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, i64 %12, ptr %13, ptr %14) {
15:
  call void @gradir.s.clear_work(i64 %10, i64 %12, ptr %9)
  call void @gradir.s.syev_reverse(i8 %0, i8 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr %14)
  ret void
}
define internal void @gradir.s.syevd.forward(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, i64 %12, ptr %13) {
14:
  %15 = call ptr @gradir.s.syevd.augmented(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr poison, ptr %8, ptr poison, i64 %10, ptr %11, i64 %12, ptr %13)
  call void @gradir.s.clear_work(i64 %10, i64 %12, ptr %9)
  call void @gradir.s.syev_forward(i8 %0, i8 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr %15)
  ret void
}
define internal ptr @gradir.s.syevr.augmented(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, i64 %17, ptr %18, ptr %19, ptr %20, i64 %21, ptr %22, i64 %23, ptr %24) {
25:
  %26 = icmp ne ptr %5, null
  %27 = zext i1 %26 to i32
  %28 = and i8 %0, -33
  %29 = icmp eq i8 %28, 86
  %30 = and i8 %1, -33
  %31 = icmp eq i8 %30, 65
  %32 = and i1 %29, %31
  %33 = zext i1 %32 to i32
  %34 = call ptr @gradir.s.spectrum(i32 %27, i32 %33, i8 %2, i64 %3, ptr %4, i64 %6, i64 %21, i64 %23)
  call void @gradir.s.blas.syevr(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %15, i64 %17, ptr %18, ptr %19, i64 %21, ptr %22, i64 %23, ptr %24)
  %35 = icmp eq ptr %34, null
  br i1 %35, label %41, label %36

36:
  %37 = load i32, ptr %12, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds i8, ptr %34, i64 32
  store i64 %38, ptr %39, align 8
  %40 = select i1 %29, ptr %15, ptr null
  call void @gradir.s.told_spectrum(ptr %34, i64 %3, i64 %38, ptr %13, ptr %40, i64 %17)
  br label %41

41:
  ret ptr %34
}
declare void @gradir.s.blas.syevr(i8, i8, i8, i64, ptr, i64, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64, ptr, ptr, i64, ptr, i64, ptr)
define internal void @gradir.s.syevr.reverse(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, i64 %17, ptr %18, ptr %19, ptr %20, i64 %21, ptr %22, i64 %23, ptr %24, ptr %25) {
26:
  call void @gradir.s.clear_work(i64 %21, i64 %23, ptr %20)
  %27 = icmp eq ptr %25, null
  br i1 %27, label %44, label %28

28:
  %29 = getelementptr inbounds i8, ptr %25, i64 32
  %30 = load i64, ptr %29, align 8
  %31 = icmp ne ptr %16, null
  %32 = and i8 %0, -33
  %33 = icmp eq i8 %32, 86
  %34 = and i1 %33, %31
  br i1 %34, label %35, label %39

35:
  %36 = call ptr @gradir.s.keep_matrix(i64 %3, i64 %30, ptr %16, i64 %17)
  %37 = icmp eq ptr %36, null
  br i1 %37, label %39, label %38

38:
  call void @gradir.s.clear_matrix(i64 %3, i64 %30, ptr %16, i64 %17)
  br label %39

39:
  %40 = phi ptr [ null, %35 ], [ %36, %38 ], [ null, %28 ]
  call void @gradir.s.clear_triangle(i8 %2, i64 %3, ptr %5, i64 %6)
  %41 = icmp eq ptr %5, null
  br i1 %41, label %43, label %42

42:
  call void @gradir.s.spectrum_reverse(i8 %2, i64 %3, ptr %5, i64 %6, ptr %14, ptr %40, ptr %25)
  br label %43

43:
  call void @gradir.s.clear_matrix(i64 %3, i64 1, ptr %14, i64 %3)
  call void @free(ptr %40)
  call void @gradir.s.release(ptr %25)
  br label %44

44:
  ret void
}
define internal void @gradir.s.syevr.forward(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, i64 %17, ptr %18, ptr %19, ptr %20, i64 %21, ptr %22, i64 %23, ptr %24) {
25:
  %26 = call ptr @gradir.s.syevr.augmented(i8 %0, i8 %1, i8 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr poison, ptr %15, ptr poison, i64 %17, ptr %18, ptr %19, ptr poison, i64 %21, ptr %22, i64 %23, ptr %24)
  call void @gradir.s.clear_work(i64 %21, i64 %23, ptr %20)
  %27 = icmp eq ptr %26, null
  br i1 %27, label %39, label %28

28:
  call void @gradir.s.clear_matrix(i64 %3, i64 1, ptr %14, i64 %3)
  %29 = and i8 %0, -33
  %30 = icmp eq i8 %29, 86
  br i1 %30, label %31, label %34

31:
  %32 = getelementptr inbounds i8, ptr %26, i64 32
  %33 = load i64, ptr %32, align 8
  call void @gradir.s.clear_matrix(i64 %3, i64 %33, ptr %16, i64 %17)
  br label %34

34:
  %35 = icmp eq ptr %5, null
  br i1 %35, label %38, label %36

36:
  %37 = select i1 %30, ptr %16, ptr null
  call void @gradir.s.spectrum_forward(i8 %2, i64 %3, ptr %5, i64 %6, ptr %14, ptr %37, i64 %17, ptr %26)
  br label %38

38:
  call void @gradir.s.clear_triangle(i8 %2, i64 %3, ptr %5, i64 %6)
  call void @gradir.s.release(ptr %26)
  br label %39

39:
  ret void
}
define internal ptr @gradir.s.columns(i64 %0, i64 %1, i32 %2, ptr byval(%struct.s_vectors) %3) {
4:
  %5 = getelementptr inbounds i8, ptr %3, i64 16
  %6 = load i64, ptr %5, align 8
  %7 = call i64 @llvm.smax.i64(i64 %6, i64 %1)
  %8 = call ptr @gradir.s.room(i64 %0, i64 %7)
  %9 = load ptr, ptr %3, align 8
  %10 = icmp ne ptr %9, null
  %11 = icmp sgt i64 %6, 0
  %12 = and i1 %10, %11
  br i1 %12, label %13, label %26

13:
  %14 = icmp sgt i64 %0, 0
  %15 = icmp eq i32 %2, 0
  %16 = getelementptr inbounds i8, ptr %3, i64 8
  %17 = load i64, ptr %16, align 8
  br label %18

18:
  %19 = phi i64 [ 0, %13 ], [ %28, %27 ]
  br i1 %14, label %20, label %27

20:
  %21 = getelementptr float, ptr %9, i64 %19
  %22 = mul nsw i64 %17, %19
  %23 = getelementptr float, ptr %9, i64 %22
  %24 = mul nsw i64 %19, %0
  %25 = getelementptr float, ptr %8, i64 %24
  br label %30

26:
  ret ptr %8

27:
  %28 = add nsw i64 %19, 1
  %29 = icmp slt i64 %28, %6
  br i1 %29, label %18, label %26

30:
  %31 = phi i64 [ 0, %20 ], [ %38, %30 ]
  %32 = mul nsw i64 %17, %31
  %33 = getelementptr float, ptr %21, i64 %32
  %34 = getelementptr float, ptr %23, i64 %31
  %35 = select i1 %15, ptr %34, ptr %33
  %36 = load float, ptr %35, align 4
  %37 = getelementptr float, ptr %25, i64 %31
  store float %36, ptr %37, align 4
  %38 = add nsw i64 %31, 1
  %39 = icmp eq i64 %38, %0
  br i1 %39, label %27, label %30
}
define internal void @gradir.s.put_columns(i64 %0, i32 %1, ptr %2, ptr byval(%struct.s_vectors) %3) {
4:
  %5 = load ptr, ptr %3, align 8
  %6 = icmp ne ptr %5, null
  %7 = getelementptr inbounds i8, ptr %3, i64 16
  %8 = load i64, ptr %7, align 8
  %9 = icmp sgt i64 %8, 0
  %10 = select i1 %6, i1 %9, i1 false
  br i1 %10, label %11, label %25

11:
  %12 = icmp sgt i64 %0, 0
  %13 = icmp eq i32 %1, 0
  %14 = icmp eq ptr %2, null
  %15 = getelementptr inbounds i8, ptr %3, i64 8
  %16 = load i64, ptr %15, align 8
  br label %17

17:
  %18 = phi i64 [ 0, %11 ], [ %27, %26 ]
  br i1 %12, label %19, label %26

19:
  %20 = mul nsw i64 %18, %0
  %21 = getelementptr float, ptr %2, i64 %20
  %22 = getelementptr float, ptr %5, i64 %18
  %23 = mul nsw i64 %16, %18
  %24 = getelementptr float, ptr %5, i64 %23
  br label %29

25:
  ret void

26:
  %27 = add nsw i64 %18, 1
  %28 = icmp slt i64 %27, %8
  br i1 %28, label %17, label %25

29:
  %30 = phi i64 [ 0, %19 ], [ %47, %46 ]
  br i1 %13, label %39, label %31

31:
  br i1 %14, label %35, label %32

32:
  %33 = getelementptr float, ptr %21, i64 %30
  %34 = load float, ptr %33, align 4
  br label %35

35:
  %36 = phi float [ %34, %32 ], [ 0.000000e+00, %31 ]
  %37 = mul nsw i64 %16, %30
  %38 = getelementptr float, ptr %22, i64 %37
  store float %36, ptr %38, align 4
  br label %46

39:
  br i1 %14, label %43, label %40

40:
  %41 = getelementptr float, ptr %21, i64 %30
  %42 = load float, ptr %41, align 4
  br label %43

43:
  %44 = phi float [ %42, %40 ], [ 0.000000e+00, %39 ]
  %45 = getelementptr float, ptr %24, i64 %30
  store float %44, ptr %45, align 4
  br label %46

46:
  %47 = add nsw i64 %30, 1
  %48 = icmp eq i64 %47, %0
  br i1 %48, label %26, label %29
}
define internal ptr @gradir.s.svd(i32 %0, i32 %1, i64 %2, i64 %3, ptr %4, i64 %5, i64 %6) {
7:
  %8 = alloca i32, align 4
  %9 = alloca %struct.s_vectors, align 8
  %10 = call i64 @llvm.smin.i64(i64 %2, i64 %3)
  %11 = add nsw i64 %3, %2
  %12 = mul nsw i64 %11, 5
  %13 = icmp eq i64 %6, -1
  %14 = icmp slt i64 %10, 1
  %15 = or i1 %14, %13
  br i1 %15, label %32, label %16

16:
  %17 = call ptr @gradir.s.new_tape()
  %18 = icmp eq i32 %0, 0
  br i1 %18, label %32, label %19

19:
  %20 = call ptr @gradir.s.room(i64 %10, i64 1)
  %21 = getelementptr inbounds i8, ptr %17, i64 8
  store ptr %20, ptr %21, align 8
  %22 = icmp eq i32 %1, 0
  br i1 %22, label %23, label %32

23:
  %24 = call ptr @gradir.s.keep_matrix(i64 %2, i64 %3, ptr %4, i64 %5)
  %25 = call ptr @gradir.s.room(i64 %10, i64 %3)
  %26 = call ptr @gradir.s.room(i64 %12, i64 1)
  %27 = call ptr @gradir.s.room(i64 %2, i64 %10)
  store ptr %27, ptr %17, align 8
  call void @gradir.s.blas.gesvd(i8 83, i8 83, i64 %2, i64 %3, ptr %24, i64 %2, ptr %20, ptr %27, i64 %2, ptr %25, i64 %10, ptr %26, i64 %12, ptr %8)
  store ptr %25, ptr %9, align 8
  %28 = getelementptr inbounds i8, ptr %9, i64 8
  store i64 %10, ptr %28, align 8
  %29 = getelementptr inbounds i8, ptr %9, i64 16
  store i64 %10, ptr %29, align 8
  %30 = call ptr @gradir.s.columns(i64 %3, i64 %10, i32 1, ptr byval(%struct.s_vectors) %9)
  %31 = getelementptr inbounds i8, ptr %17, i64 16
  store ptr %30, ptr %31, align 8
  call void @free(ptr %24)
  call void @free(ptr %25)
  call void @free(ptr %26)
  br label %32

32:
  %33 = phi ptr [ null, %7 ], [ %17, %19 ], [ %17, %16 ], [ %17, %23 ]
  ret ptr %33
}
declare void @gradir.s.blas.gesvd(i8, i8, i64, i64, ptr, i64, ptr, ptr, i64, ptr, i64, ptr, i64, ptr)
define internal ptr @gradir.s.turn(i64 %0, i64 %1, ptr %2, ptr %3, i64 %4, ptr %5) {
6:
  %7 = call ptr @gradir.s.room(i64 %1, i64 %1)
  %8 = call ptr @gradir.s.room(i64 %4, i64 %1)
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %1, i64 %1, i64 %0, float 1.000000e+00, ptr %2, i64 %0, ptr %3, i64 %0, float 0.000000e+00, ptr %7, i64 %1)
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %4, i64 %1, i64 %1, float 1.000000e+00, ptr %5, i64 %4, ptr %7, i64 %1, float 0.000000e+00, ptr %8, i64 %4)
  call void @free(ptr %7)
  call void @free(ptr %2)
  call void @free(ptr %5)
  ret ptr %8
}
define internal void @gradir.s.told_svd(ptr %0, i64 %1, i64 %2, ptr %3, ptr byval(%struct.s_vectors) %4, ptr byval(%struct.s_vectors) %5) {
6:
  %7 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %8 = icmp eq ptr %0, null
  br i1 %8, label %60, label %9

9:
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %60, label %13

13:
  %14 = icmp sgt i64 %7, 0
  br i1 %14, label %18, label %15

15:
  %16 = load ptr, ptr %4, align 8
  %17 = icmp eq ptr %16, null
  br i1 %17, label %27, label %25

18:
  %19 = phi i64 [ %23, %18 ], [ 0, %13 ]
  %20 = getelementptr inbounds float, ptr %3, i64 %19
  %21 = load float, ptr %20, align 4
  %22 = getelementptr inbounds float, ptr %11, i64 %19
  store float %21, ptr %22, align 4
  %23 = add nsw i64 %19, 1
  %24 = icmp eq i64 %23, %7
  br i1 %24, label %15, label %18

25:
  %26 = call ptr @gradir.s.columns(i64 %1, i64 %7, i32 0, ptr byval(%struct.s_vectors) %4)
  br label %27

27:
  %28 = phi ptr [ %26, %25 ], [ null, %15 ]
  %29 = load ptr, ptr %5, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %33, label %31

31:
  %32 = call ptr @gradir.s.columns(i64 %2, i64 %7, i32 1, ptr byval(%struct.s_vectors) %5)
  br label %33

33:
  %34 = phi ptr [ %32, %31 ], [ null, %27 ]
  %35 = icmp eq ptr %28, null
  %36 = icmp ne ptr %34, null
  %37 = or i1 %35, %36
  br i1 %37, label %43, label %38

38:
  %39 = load ptr, ptr %0, align 8
  %40 = getelementptr inbounds i8, ptr %0, i64 16
  %41 = load ptr, ptr %40, align 8
  %42 = call ptr @gradir.s.turn(i64 %1, i64 %7, ptr %39, ptr %28, i64 %2, ptr %41)
  br label %52

43:
  %44 = icmp eq ptr %34, null
  %45 = icmp ne ptr %28, null
  %46 = or i1 %45, %44
  br i1 %46, label %52, label %47

47:
  %48 = getelementptr inbounds i8, ptr %0, i64 16
  %49 = load ptr, ptr %48, align 8
  %50 = load ptr, ptr %0, align 8
  %51 = call ptr @gradir.s.turn(i64 %2, i64 %7, ptr %49, ptr %34, i64 %1, ptr %50)
  br label %52

52:
  %53 = phi ptr [ %28, %43 ], [ %51, %47 ], [ %28, %38 ]
  %54 = phi ptr [ %34, %43 ], [ %34, %47 ], [ %42, %38 ]
  %55 = icmp ne ptr %53, null
  %56 = icmp ne ptr %54, null
  %57 = and i1 %55, %56
  br i1 %57, label %58, label %60

58:
  store ptr %53, ptr %0, align 8
  %59 = getelementptr inbounds i8, ptr %0, i64 16
  store ptr %54, ptr %59, align 8
  br label %60

60:
  ret void
}
define internal ptr @gradir.s.gathered(i64 %0, i64 %1, i32 %2, ptr byval(%struct.s_vectors) %3, ptr %4) {
5:
  %6 = load ptr, ptr %3, align 8
  %7 = icmp eq ptr %6, null
  %8 = getelementptr inbounds i8, ptr %3, i64 16
  %9 = load i64, ptr %8, align 8
  %10 = sub nsw i64 %9, %1
  %11 = select i1 %7, i64 0, i64 %10
  %12 = call ptr @gradir.s.columns(i64 %0, i64 %1, i32 %2, ptr byval(%struct.s_vectors) %3)
  call void @gradir.s.put_columns(i64 %0, i32 %2, ptr null, ptr byval(%struct.s_vectors) %3)
  %13 = icmp sgt i64 %11, 0
  %14 = icmp ne ptr %4, null
  %15 = and i1 %14, %13
  br i1 %15, label %16, label %21

16:
  %17 = call ptr @gradir.s.room(i64 %11, i64 %1)
  %18 = mul nsw i64 %1, %0
  %19 = getelementptr inbounds float, ptr %12, i64 %18
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %11, i64 %1, i64 %0, float 1.000000e+00, ptr %19, i64 %0, ptr %4, i64 %0, float 0.000000e+00, ptr %17, i64 %11)
  %20 = getelementptr inbounds float, ptr %4, i64 %18
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %0, i64 %1, i64 %11, float -1.000000e+00, ptr %20, i64 %0, ptr %17, i64 %11, float 1.000000e+00, ptr %12, i64 %0)
  call void @free(ptr %17)
  br label %21

21:
  ret ptr %12
}
define internal void @gradir.s.across(i64 %0, i64 %1, ptr %2, ptr %3, ptr %4, i8 %5, ptr %6, ptr %7) {
8:
  %9 = icmp sgt i64 %0, %1
  br i1 %9, label %10, label %11

10:
  call void @gradir.s.blas.gemm(i8 78, i8 %5, i64 %0, i64 %1, i64 %1, float -1.000000e+00, ptr %3, i64 %0, ptr %6, i64 %1, float 1.000000e+00, ptr %7, i64 %0)
  br label %11

11:
  %12 = icmp sgt i64 %1, 0
  br i1 %12, label %13, label %21

13:
  %14 = icmp sgt i64 %0, 0
  br label %15

15:
  %16 = phi i64 [ 0, %13 ], [ %24, %23 ]
  br i1 %14, label %17, label %23

17:
  %18 = mul nsw i64 %16, %0
  %19 = getelementptr float, ptr %7, i64 %18
  %20 = getelementptr inbounds float, ptr %2, i64 %16
  br label %26

21:
  %22 = icmp eq ptr %4, null
  br i1 %22, label %44, label %43

23:
  %24 = add nsw i64 %16, 1
  %25 = icmp eq i64 %24, %1
  br i1 %25, label %21, label %15

26:
  %27 = phi i64 [ 0, %17 ], [ %41, %38 ]
  br i1 %9, label %28, label %38

28:
  %29 = getelementptr float, ptr %19, i64 %27
  %30 = load float, ptr %29, align 4
  %31 = load float, ptr %20, align 4
  %32 = fcmp oeq float %30, 0.000000e+00
  %33 = fcmp oeq float %31, 0.000000e+00
  %34 = and i1 %32, %33
  %35 = fmul float %30, 0x47B0000000000000
  %36 = fdiv float %30, %31
  %37 = select i1 %34, float %35, float %36
  br label %38

38:
  %39 = phi float [ %37, %28 ], [ 0.000000e+00, %26 ]
  %40 = getelementptr float, ptr %19, i64 %27
  store float %39, ptr %40, align 4
  %41 = add nsw i64 %27, 1
  %42 = icmp eq i64 %41, %0
  br i1 %42, label %23, label %26

43:
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %0, i64 %1, i64 %1, float 1.000000e+00, ptr %3, i64 %0, ptr %4, i64 %1, float 1.000000e+00, ptr %7, i64 %0)
  br label %44

44:
  ret void
}
define internal void @gradir.s.svd_reverse(i64 %0, i64 %1, ptr %2, i64 %3, ptr %4, ptr byval(%struct.s_vectors) %5, ptr byval(%struct.s_vectors) %6, ptr %7) {
8:
  %9 = icmp eq ptr %7, null
  br i1 %9, label %84, label %10

10:
  %11 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %12 = load ptr, ptr %7, align 8
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds i8, ptr %7, i64 16
  %16 = load ptr, ptr %15, align 8
  %17 = call ptr @gradir.s.gathered(i64 %0, i64 %11, i32 0, ptr byval(%struct.s_vectors) %5, ptr %12)
  %18 = call ptr @gradir.s.gathered(i64 %1, i64 %11, i32 1, ptr byval(%struct.s_vectors) %6, ptr %16)
  %19 = icmp eq ptr %2, null
  br i1 %19, label %83, label %20

20:
  %21 = call ptr @gradir.s.room(i64 %11, i64 %11)
  %22 = call ptr @gradir.s.room(i64 %11, i64 %11)
  %23 = call ptr @gradir.s.room(i64 %11, i64 %11)
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %11, i64 %11, i64 %0, float 1.000000e+00, ptr %12, i64 %0, ptr %17, i64 %0, float 0.000000e+00, ptr %21, i64 %11)
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %11, i64 %11, i64 %1, float 1.000000e+00, ptr %16, i64 %1, ptr %18, i64 %1, float 0.000000e+00, ptr %22, i64 %11)
  %24 = icmp sgt i64 %11, 0
  br i1 %24, label %25, label %32

25:
  %26 = icmp eq ptr %4, null
  br label %27

27:
  %28 = phi i64 [ 0, %25 ], [ %34, %33 ]
  %29 = mul nsw i64 %28, %11
  %30 = getelementptr inbounds float, ptr %14, i64 %28
  %31 = getelementptr inbounds float, ptr %4, i64 %28
  br label %36

32:
  call void @gradir.s.across(i64 %0, i64 %11, ptr %14, ptr %12, ptr %23, i8 78, ptr %21, ptr %17)
  call void @gradir.s.across(i64 %1, i64 %11, ptr %14, ptr %16, ptr null, i8 78, ptr %22, ptr %18)
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %0, i64 %1, i64 %11, float 1.000000e+00, ptr %17, i64 %0, ptr %16, i64 %1, float 0.000000e+00, ptr %2, i64 %3)
  call void @gradir.s.blas.gemm(i8 78, i8 84, i64 %0, i64 %1, i64 %11, float 1.000000e+00, ptr %12, i64 %0, ptr %18, i64 %1, float 1.000000e+00, ptr %2, i64 %3)
  call void @free(ptr %21)
  call void @free(ptr %22)
  call void @free(ptr %23)
  br label %83

33:
  %34 = add nsw i64 %28, 1
  %35 = icmp eq i64 %34, %11
  br i1 %35, label %32, label %27

36:
  %37 = phi i64 [ 0, %27 ], [ %81, %78 ]
  %38 = add nsw i64 %37, %29
  %39 = icmp eq i64 %37, %28
  br i1 %39, label %40, label %43

40:
  br i1 %26, label %78, label %41

41:
  %42 = load float, ptr %31, align 4
  br label %78

43:
  %44 = getelementptr inbounds float, ptr %22, i64 %38
  %45 = load float, ptr %44, align 4
  %46 = mul nsw i64 %37, %11
  %47 = add nsw i64 %46, %28
  %48 = getelementptr inbounds float, ptr %22, i64 %47
  %49 = load float, ptr %48, align 4
  %50 = fsub float %45, %49
  %51 = getelementptr inbounds float, ptr %21, i64 %38
  %52 = load float, ptr %51, align 4
  %53 = getelementptr inbounds float, ptr %21, i64 %47
  %54 = load float, ptr %53, align 4
  %55 = fsub float %52, %54
  %56 = fadd float %50, %55
  %57 = load float, ptr %30, align 4
  %58 = getelementptr inbounds float, ptr %14, i64 %37
  %59 = load float, ptr %58, align 4
  %60 = fsub float %57, %59
  %61 = fcmp oeq float %56, 0.000000e+00
  %62 = fcmp oeq float %60, 0.000000e+00
  %63 = and i1 %61, %62
  %64 = fmul float %56, 0x47B0000000000000
  %65 = fdiv float %56, %60
  %66 = select i1 %63, float %64, float %65
  %67 = fmul float %66, 5.000000e-01
  %68 = fsub float %55, %50
  %69 = fadd float %57, %59
  %70 = fcmp oeq float %68, 0.000000e+00
  %71 = fcmp oeq float %69, 0.000000e+00
  %72 = and i1 %70, %71
  %73 = fmul float %68, 0x47B0000000000000
  %74 = fdiv float %68, %69
  %75 = select i1 %72, float %73, float %74
  %76 = fmul float %75, 5.000000e-01
  %77 = fadd float %67, %76
  br label %78

78:
  %79 = phi float [ %77, %43 ], [ %42, %41 ], [ 0.000000e+00, %40 ]
  %80 = getelementptr inbounds float, ptr %23, i64 %38
  store float %79, ptr %80, align 4
  %81 = add nsw i64 %37, 1
  %82 = icmp eq i64 %81, %11
  br i1 %82, label %33, label %36

83:
  call void @gradir.s.clear_matrix(i64 %11, i64 1, ptr %4, i64 %11)
  call void @free(ptr %17)
  call void @free(ptr %18)
  call void @gradir.s.release(ptr %7)
  br label %84

84:
  ret void
}
define internal void @gradir.s.put_tangents(i64 %0, i64 %1, i32 %2, ptr %3, ptr %4, ptr byval(%struct.s_vectors) %5) {
6:
  %7 = alloca %struct.s_vectors, align 8
  %8 = load ptr, ptr %5, align 8
  %9 = icmp eq ptr %8, null
  %10 = getelementptr inbounds i8, ptr %5, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = sub nsw i64 %11, %1
  %13 = select i1 %9, i64 0, i64 %12
  store ptr %4, ptr %7, align 8
  %14 = getelementptr inbounds i8, ptr %7, i64 8
  store i64 %0, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %7, i64 16
  store i64 %1, ptr %15, align 8
  %16 = call ptr @gradir.s.columns(i64 %0, i64 %1, i32 0, ptr byval(%struct.s_vectors) %7)
  %17 = icmp sgt i64 %13, 0
  br i1 %17, label %18, label %24

18:
  %19 = call ptr @gradir.s.room(i64 %1, i64 %13)
  call void @free(ptr %16)
  %20 = call ptr @gradir.s.room(i64 %0, i64 %11)
  call void @gradir.s.add(i64 %0, i64 %1, float 1.000000e+00, ptr %4, i64 %0, ptr %20, i64 %0)
  %21 = mul nsw i64 %1, %0
  %22 = getelementptr inbounds float, ptr %3, i64 %21
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %1, i64 %13, i64 %0, float 1.000000e+00, ptr %4, i64 %0, ptr %22, i64 %0, float 0.000000e+00, ptr %19, i64 %1)
  %23 = getelementptr inbounds float, ptr %20, i64 %21
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %0, i64 %13, i64 %1, float -1.000000e+00, ptr %3, i64 %0, ptr %19, i64 %1, float 0.000000e+00, ptr %23, i64 %0)
  call void @free(ptr %19)
  br label %24

24:
  %25 = phi ptr [ %20, %18 ], [ %16, %6 ]
  call void @gradir.s.put_columns(i64 %0, i32 %2, ptr %25, ptr byval(%struct.s_vectors) %5)
  call void @free(ptr %25)
  ret void
}
define internal void @gradir.s.svd_forward(i64 %0, i64 %1, ptr %2, i64 %3, ptr %4, ptr byval(%struct.s_vectors) %5, ptr byval(%struct.s_vectors) %6, ptr %7) {
8:
  %9 = icmp eq ptr %7, null
  br i1 %9, label %94, label %10

10:
  %11 = call i64 @llvm.smin.i64(i64 %0, i64 %1)
  %12 = load ptr, ptr %7, align 8
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds i8, ptr %7, i64 16
  %16 = load ptr, ptr %15, align 8
  %17 = icmp eq ptr %2, null
  br i1 %17, label %18, label %19

18:
  call void @gradir.s.clear_matrix(i64 %11, i64 1, ptr %4, i64 %11)
  call void @gradir.s.put_columns(i64 %0, i32 0, ptr null, ptr byval(%struct.s_vectors) %5)
  call void @gradir.s.put_columns(i64 %1, i32 1, ptr null, ptr byval(%struct.s_vectors) %6)
  br label %93

19:
  %20 = call ptr @gradir.s.room(i64 %11, i64 %11)
  %21 = call ptr @gradir.s.room(i64 %11, i64 %11)
  %22 = call ptr @gradir.s.room(i64 %11, i64 %11)
  %23 = call ptr @gradir.s.room(i64 %0, i64 %11)
  %24 = call ptr @gradir.s.room(i64 %1, i64 %11)
  call void @gradir.s.blas.gemm(i8 78, i8 78, i64 %0, i64 %11, i64 %1, float 1.000000e+00, ptr %2, i64 %3, ptr %16, i64 %1, float 0.000000e+00, ptr %23, i64 %0)
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %1, i64 %11, i64 %0, float 1.000000e+00, ptr %2, i64 %3, ptr %12, i64 %0, float 0.000000e+00, ptr %24, i64 %1)
  call void @gradir.s.blas.gemm(i8 84, i8 78, i64 %11, i64 %11, i64 %0, float 1.000000e+00, ptr %12, i64 %0, ptr %23, i64 %0, float 0.000000e+00, ptr %20, i64 %11)
  call void @gradir.s.clear_matrix(i64 %0, i64 %1, ptr %2, i64 %3)
  %25 = icmp ne ptr %4, null
  %26 = icmp sgt i64 %11, 0
  %27 = and i1 %25, %26
  br i1 %27, label %28, label %30

28:
  %29 = add i64 %11, 1
  br label %37

30:
  %31 = load ptr, ptr %5, align 8
  %32 = icmp ne ptr %31, null
  %33 = load ptr, ptr %6, align 8
  %34 = icmp ne ptr %33, null
  %35 = select i1 %32, i1 true, i1 %34
  br i1 %35, label %36, label %92

36:
  br i1 %26, label %45, label %50

37:
  %38 = phi i64 [ 0, %28 ], [ %43, %37 ]
  %39 = mul i64 %38, %29
  %40 = getelementptr inbounds float, ptr %20, i64 %39
  %41 = load float, ptr %40, align 4
  %42 = getelementptr inbounds float, ptr %4, i64 %38
  store float %41, ptr %42, align 4
  %43 = add nsw i64 %38, 1
  %44 = icmp slt i64 %43, %11
  br i1 %44, label %37, label %30

45:
  %46 = phi i64 [ %52, %51 ], [ 0, %36 ]
  %47 = mul nsw i64 %46, %11
  %48 = getelementptr float, ptr %20, i64 %46
  %49 = getelementptr inbounds float, ptr %14, i64 %46
  br label %54

50:
  call void @gradir.s.across(i64 %0, i64 %11, ptr %14, ptr %12, ptr %21, i8 78, ptr %20, ptr %23)
  call void @gradir.s.across(i64 %1, i64 %11, ptr %14, ptr %16, ptr %22, i8 84, ptr %20, ptr %24)
  call void @gradir.s.put_tangents(i64 %0, i64 %11, i32 0, ptr %12, ptr %23, ptr byval(%struct.s_vectors) %5)
  call void @gradir.s.put_tangents(i64 %1, i64 %11, i32 1, ptr %16, ptr %24, ptr byval(%struct.s_vectors) %6)
  br label %92

51:
  %52 = add nsw i64 %46, 1
  %53 = icmp eq i64 %52, %11
  br i1 %53, label %50, label %45

54:
  %55 = phi i64 [ 0, %45 ], [ %90, %89 ]
  %56 = icmp eq i64 %55, %46
  br i1 %56, label %89, label %57

57:
  %58 = add nsw i64 %55, %47
  %59 = getelementptr inbounds float, ptr %20, i64 %58
  %60 = load float, ptr %59, align 4
  %61 = mul nsw i64 %55, %11
  %62 = getelementptr float, ptr %48, i64 %61
  %63 = load float, ptr %62, align 4
  %64 = fadd float %60, %63
  %65 = load float, ptr %49, align 4
  %66 = getelementptr inbounds float, ptr %14, i64 %55
  %67 = load float, ptr %66, align 4
  %68 = fsub float %65, %67
  %69 = fcmp oeq float %64, 0.000000e+00
  %70 = fcmp oeq float %68, 0.000000e+00
  %71 = and i1 %69, %70
  %72 = fmul float %64, 0x47B0000000000000
  %73 = fdiv float %64, %68
  %74 = select i1 %71, float %72, float %73
  %75 = fmul float %74, 5.000000e-01
  %76 = fsub float %60, %63
  %77 = fadd float %65, %67
  %78 = fcmp oeq float %76, 0.000000e+00
  %79 = fcmp oeq float %77, 0.000000e+00
  %80 = and i1 %78, %79
  %81 = fmul float %76, 0x47B0000000000000
  %82 = fdiv float %76, %77
  %83 = select i1 %80, float %81, float %82
  %84 = fmul float %83, 5.000000e-01
  %85 = fadd float %75, %84
  %86 = getelementptr inbounds float, ptr %21, i64 %58
  store float %85, ptr %86, align 4
  %87 = fsub float %75, %84
  %88 = getelementptr inbounds float, ptr %22, i64 %58
  store float %87, ptr %88, align 4
  br label %89

89:
  %90 = add nsw i64 %55, 1
  %91 = icmp eq i64 %90, %11
  br i1 %91, label %51, label %54

92:
  call void @free(ptr %20)
  call void @free(ptr %21)
  call void @free(ptr %22)
  call void @free(ptr %23)
  call void @free(ptr %24)
  br label %93

93:
  call void @gradir.s.release(ptr %7)
  br label %94

94:
  ret void
}
define internal ptr @gradir.s.gesvd.augmented(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, i64 %11, ptr %12, ptr %13, i64 %14, ptr %15, ptr %16, i64 %17, ptr %18) {
19:
  %20 = alloca %struct.s_vectors, align 8
  %21 = alloca %struct.s_vectors, align 8
  %22 = and i8 %0, -33
  %23 = icmp ne i8 %22, 78
  %24 = and i8 %1, -33
  %25 = icmp ne i8 %24, 78
  %26 = and i1 %23, %25
  %27 = zext i1 %26 to i32
  %28 = icmp ne ptr %5, null
  %29 = zext i1 %28 to i32
  %30 = call ptr @gradir.s.svd(i32 %29, i32 %27, i64 %2, i64 %3, ptr %4, i64 %6, i64 %17)
  call void @gradir.s.blas.gesvd(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, i64 %6, ptr %7, ptr %9, i64 %11, ptr %12, i64 %14, ptr %15, i64 %17, ptr %18)
  %31 = call i64 @llvm.smin.i64(i64 %2, i64 %3)
  switch i8 %22, label %36 [    i8 78, label %32    i8 79, label %33  ]

32:
  call void @llvm.memset.p0.i64(ptr %20, i8 0, i64 24, i1 false)
  br label %41

33:
  store ptr %4, ptr %20, align 8
  %34 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %6, ptr %34, align 8
  %35 = getelementptr inbounds i8, ptr %20, i64 16
  store i64 %31, ptr %35, align 8
  br label %41

36:
  store ptr %9, ptr %20, align 8
  %37 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %11, ptr %37, align 8
  %38 = getelementptr inbounds i8, ptr %20, i64 16
  %39 = icmp eq i8 %22, 65
  %40 = select i1 %39, i64 %2, i64 %31
  store i64 %40, ptr %38, align 8
  br label %41

41:
  switch i8 %24, label %46 [    i8 78, label %42    i8 79, label %43  ]

42:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %51

43:
  store ptr %4, ptr %21, align 8
  %44 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %6, ptr %44, align 8
  %45 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %31, ptr %45, align 8
  br label %51

46:
  store ptr %12, ptr %21, align 8
  %47 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %14, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %21, i64 16
  %49 = icmp eq i8 %24, 65
  %50 = select i1 %49, i64 %3, i64 %31
  store i64 %50, ptr %48, align 8
  br label %51

51:
  call void @gradir.s.told_svd(ptr %30, i64 %2, i64 %3, ptr %7, ptr byval(%struct.s_vectors) %20, ptr byval(%struct.s_vectors) %21)
  ret ptr %30
}
define internal void @gradir.s.gesvd.reverse(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, i64 %11, ptr %12, ptr %13, i64 %14, ptr %15, ptr %16, i64 %17, ptr %18, ptr %19) {
20:
  %21 = alloca %struct.s_vectors, align 8
  %22 = alloca %struct.s_vectors, align 8
  call void @gradir.s.clear_work(i64 %17, i64 0, ptr %16)
  %23 = call i64 @llvm.smin.i64(i64 %2, i64 %3)
  %24 = and i8 %0, -33
  switch i8 %24, label %29 [    i8 78, label %25    i8 79, label %26  ]

25:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %34

26:
  store ptr %5, ptr %21, align 8
  %27 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %6, ptr %27, align 8
  %28 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %23, ptr %28, align 8
  br label %34

29:
  store ptr %10, ptr %21, align 8
  %30 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %11, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %21, i64 16
  %32 = icmp eq i8 %24, 65
  %33 = select i1 %32, i64 %2, i64 %23
  store i64 %33, ptr %31, align 8
  br label %34

34:
  %35 = and i8 %1, -33
  switch i8 %35, label %40 [    i8 78, label %36    i8 79, label %37  ]

36:
  call void @llvm.memset.p0.i64(ptr %22, i8 0, i64 24, i1 false)
  br label %45

37:
  store ptr %5, ptr %22, align 8
  %38 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %6, ptr %38, align 8
  %39 = getelementptr inbounds i8, ptr %22, i64 16
  store i64 %23, ptr %39, align 8
  br label %45

40:
  store ptr %13, ptr %22, align 8
  %41 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %14, ptr %41, align 8
  %42 = getelementptr inbounds i8, ptr %22, i64 16
  %43 = icmp eq i8 %35, 65
  %44 = select i1 %43, i64 %3, i64 %23
  store i64 %44, ptr %42, align 8
  br label %45

45:
  call void @gradir.s.svd_reverse(i64 %2, i64 %3, ptr %5, i64 %6, ptr %8, ptr byval(%struct.s_vectors) %21, ptr byval(%struct.s_vectors) %22, ptr %19)
  ret void
}
define internal void @gradir.s.gesvd.forward(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9, ptr %10, i64 %11, ptr %12, ptr %13, i64 %14, ptr %15, ptr %16, i64 %17, ptr %18) {
19:
  %20 = alloca %struct.s_vectors, align 8
  %21 = alloca %struct.s_vectors, align 8
  %22 = call ptr @gradir.s.gesvd.augmented(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr poison, ptr %9, ptr poison, i64 %11, ptr %12, ptr poison, i64 %14, ptr %15, ptr poison, i64 %17, ptr %18)
  call void @gradir.s.clear_work(i64 %17, i64 0, ptr %16)
  %23 = call i64 @llvm.smin.i64(i64 %2, i64 %3)
  %24 = and i8 %0, -33
  switch i8 %24, label %29 [    i8 78, label %25    i8 79, label %26  ]

25:
  call void @llvm.memset.p0.i64(ptr %20, i8 0, i64 24, i1 false)
  br label %34

26:
  store ptr %5, ptr %20, align 8
  %27 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %6, ptr %27, align 8
  %28 = getelementptr inbounds i8, ptr %20, i64 16
  store i64 %23, ptr %28, align 8
  br label %34

29:
  store ptr %10, ptr %20, align 8
  %30 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %11, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %20, i64 16
  %32 = icmp eq i8 %24, 65
  %33 = select i1 %32, i64 %2, i64 %23
  store i64 %33, ptr %31, align 8
  br label %34

34:
  %35 = and i8 %1, -33
  switch i8 %35, label %40 [    i8 78, label %36    i8 79, label %37  ]

36:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %45

37:
  store ptr %5, ptr %21, align 8
  %38 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %6, ptr %38, align 8
  %39 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %23, ptr %39, align 8
  br label %45

40:
  store ptr %13, ptr %21, align 8
  %41 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %14, ptr %41, align 8
  %42 = getelementptr inbounds i8, ptr %21, i64 16
  %43 = icmp eq i8 %35, 65
  %44 = select i1 %43, i64 %3, i64 %23
  store i64 %44, ptr %42, align 8
  br label %45

45:
  call void @gradir.s.svd_forward(i64 %2, i64 %3, ptr %5, i64 %6, ptr %8, ptr byval(%struct.s_vectors) %20, ptr byval(%struct.s_vectors) %21, ptr %22)
  ret void
}
define internal ptr @gradir.s.gesdd.augmented(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14, ptr %15, i64 %16, ptr %17, ptr %18) {
19:
  %20 = alloca %struct.s_vectors, align 8
  %21 = alloca %struct.s_vectors, align 8
  %22 = icmp ne ptr %4, null
  %23 = zext i1 %22 to i32
  %24 = and i8 %0, -33
  %25 = icmp ne i8 %24, 78
  %26 = zext i1 %25 to i32
  %27 = call ptr @gradir.s.svd(i32 %23, i32 %26, i64 %1, i64 %2, ptr %3, i64 %5, i64 %16)
  call void @gradir.s.blas.gesdd(i8 %0, i64 %1, i64 %2, ptr %3, i64 %5, ptr %6, ptr %8, i64 %10, ptr %11, i64 %13, ptr %14, i64 %16, ptr %17, ptr %18)
  %28 = icmp eq i8 %24, 79
  %29 = icmp slt i64 %1, %2
  %30 = select i1 %29, i8 83, i8 79
  %31 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %32 = select i1 %28, i8 %30, i8 %24
  switch i8 %32, label %37 [    i8 78, label %33    i8 79, label %34  ]

33:
  call void @llvm.memset.p0.i64(ptr %20, i8 0, i64 24, i1 false)
  br label %42

34:
  store ptr %3, ptr %20, align 8
  %35 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %5, ptr %35, align 8
  %36 = getelementptr inbounds i8, ptr %20, i64 16
  store i64 %31, ptr %36, align 8
  br label %42

37:
  store ptr %8, ptr %20, align 8
  %38 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %10, ptr %38, align 8
  %39 = getelementptr inbounds i8, ptr %20, i64 16
  %40 = icmp eq i8 %32, 65
  %41 = select i1 %40, i64 %1, i64 %31
  store i64 %41, ptr %39, align 8
  br label %42

42:
  %43 = select i1 %29, i8 79, i8 83
  %44 = select i1 %28, i8 %43, i8 %24
  switch i8 %44, label %49 [    i8 78, label %45    i8 79, label %46  ]

45:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %54

46:
  store ptr %3, ptr %21, align 8
  %47 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %5, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %31, ptr %48, align 8
  br label %54

49:
  store ptr %11, ptr %21, align 8
  %50 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %13, ptr %50, align 8
  %51 = getelementptr inbounds i8, ptr %21, i64 16
  %52 = icmp eq i8 %44, 65
  %53 = select i1 %52, i64 %2, i64 %31
  store i64 %53, ptr %51, align 8
  br label %54

54:
  call void @gradir.s.told_svd(ptr %27, i64 %1, i64 %2, ptr %6, ptr byval(%struct.s_vectors) %20, ptr byval(%struct.s_vectors) %21)
  ret ptr %27
}
declare void @gradir.s.blas.gesdd(i8, i64, i64, ptr, i64, ptr, ptr, i64, ptr, i64, ptr, i64, ptr, ptr)
define internal void @gradir.s.gesdd.reverse(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14, ptr %15, i64 %16, ptr %17, ptr %18, ptr %19) {
20:
  %21 = alloca %struct.s_vectors, align 8
  %22 = alloca %struct.s_vectors, align 8
  call void @gradir.s.clear_work(i64 %16, i64 0, ptr %15)
  %23 = and i8 %0, -33
  %24 = icmp eq i8 %23, 79
  %25 = icmp slt i64 %1, %2
  %26 = select i1 %25, i8 83, i8 79
  %27 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %28 = select i1 %24, i8 %26, i8 %23
  switch i8 %28, label %33 [    i8 78, label %29    i8 79, label %30  ]

29:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %38

30:
  store ptr %4, ptr %21, align 8
  %31 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %5, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %27, ptr %32, align 8
  br label %38

33:
  store ptr %9, ptr %21, align 8
  %34 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %10, ptr %34, align 8
  %35 = getelementptr inbounds i8, ptr %21, i64 16
  %36 = icmp eq i8 %28, 65
  %37 = select i1 %36, i64 %1, i64 %27
  store i64 %37, ptr %35, align 8
  br label %38

38:
  %39 = select i1 %25, i8 79, i8 83
  %40 = select i1 %24, i8 %39, i8 %23
  switch i8 %40, label %45 [    i8 78, label %41    i8 79, label %42  ]

41:
  call void @llvm.memset.p0.i64(ptr %22, i8 0, i64 24, i1 false)
  br label %50

42:
  store ptr %4, ptr %22, align 8
  %43 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %5, ptr %43, align 8
  %44 = getelementptr inbounds i8, ptr %22, i64 16
  store i64 %27, ptr %44, align 8
  br label %50

45:
  store ptr %12, ptr %22, align 8
  %46 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %13, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %22, i64 16
  %48 = icmp eq i8 %40, 65
  %49 = select i1 %48, i64 %2, i64 %27
  store i64 %49, ptr %47, align 8
  br label %50

50:
  call void @gradir.s.svd_reverse(i64 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr byval(%struct.s_vectors) %21, ptr byval(%struct.s_vectors) %22, ptr %19)
  ret void
}
define internal void @gradir.s.gesdd.forward(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr %7, ptr %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13, ptr %14, ptr %15, i64 %16, ptr %17, ptr %18) {
19:
  %20 = alloca %struct.s_vectors, align 8
  %21 = alloca %struct.s_vectors, align 8
  %22 = call ptr @gradir.s.gesdd.augmented(i8 %0, i64 %1, i64 %2, ptr %3, ptr %4, i64 %5, ptr %6, ptr poison, ptr %8, ptr poison, i64 %10, ptr %11, ptr poison, i64 %13, ptr %14, ptr poison, i64 %16, ptr %17, ptr %18)
  call void @gradir.s.clear_work(i64 %16, i64 0, ptr %15)
  %23 = and i8 %0, -33
  %24 = icmp eq i8 %23, 79
  %25 = icmp slt i64 %1, %2
  %26 = select i1 %25, i8 83, i8 79
  %27 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %28 = select i1 %24, i8 %26, i8 %23
  switch i8 %28, label %33 [    i8 78, label %29    i8 79, label %30  ]

29:
  call void @llvm.memset.p0.i64(ptr %20, i8 0, i64 24, i1 false)
  br label %38

30:
  store ptr %4, ptr %20, align 8
  %31 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %5, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %20, i64 16
  store i64 %27, ptr %32, align 8
  br label %38

33:
  store ptr %9, ptr %20, align 8
  %34 = getelementptr inbounds i8, ptr %20, i64 8
  store i64 %10, ptr %34, align 8
  %35 = getelementptr inbounds i8, ptr %20, i64 16
  %36 = icmp eq i8 %28, 65
  %37 = select i1 %36, i64 %1, i64 %27
  store i64 %37, ptr %35, align 8
  br label %38

38:
  %39 = select i1 %25, i8 79, i8 83
  %40 = select i1 %24, i8 %39, i8 %23
  switch i8 %40, label %45 [    i8 78, label %41    i8 79, label %42  ]

41:
  call void @llvm.memset.p0.i64(ptr %21, i8 0, i64 24, i1 false)
  br label %50

42:
  store ptr %4, ptr %21, align 8
  %43 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %5, ptr %43, align 8
  %44 = getelementptr inbounds i8, ptr %21, i64 16
  store i64 %27, ptr %44, align 8
  br label %50

45:
  store ptr %12, ptr %21, align 8
  %46 = getelementptr inbounds i8, ptr %21, i64 8
  store i64 %13, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %21, i64 16
  %48 = icmp eq i8 %40, 65
  %49 = select i1 %48, i64 %2, i64 %27
  store i64 %49, ptr %47, align 8
  br label %50

50:
  call void @gradir.s.svd_forward(i64 %1, i64 %2, ptr %4, i64 %5, ptr %7, ptr byval(%struct.s_vectors) %20, ptr byval(%struct.s_vectors) %21, ptr %22)
  ret void
}
define internal i32 @gradir.body.LAPACKE_spotrf(i32 %0, i8 %1, i32 %2, ptr %3, i32 %4) {
5:
  %6 = alloca i8, align 1
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca %struct.s_columns, align 8
  store i8 %1, ptr %6, align 1
  store i32 %2, ptr %7, align 4
  %10 = sext i32 %2 to i64
  %11 = icmp eq i32 %0, 101
  %12 = icmp ne ptr %3, null
  %13 = and i1 %11, %12
  br i1 %13, label %14, label %69

14:
  %15 = icmp sgt i32 %2, 0
  %16 = select i1 %15, i64 %10, i64 1
  %17 = call i64 @llvm.smax.i64(i64 %10, i64 1)
  %18 = shl nsw i64 %17, 2
  %19 = mul i64 %18, %16
  %20 = call ptr @malloc(i64 %19)
  %21 = select i1 %15, i32 %2, i32 1
  br i1 %15, label %22, label %41

22:
  %23 = sext i32 %4 to i64
  %24 = zext i32 %2 to i64
  br label %25

25:
  %26 = phi i64 [ 0, %22 ], [ %31, %30 ]
  %27 = getelementptr float, ptr %3, i64 %26
  %28 = mul nsw i64 %26, %24
  %29 = getelementptr float, ptr %20, i64 %28
  br label %33

30:
  %31 = add nsw i64 %26, 1
  %32 = icmp eq i64 %31, %10
  br i1 %32, label %41, label %25

33:
  %34 = phi i64 [ 0, %25 ], [ %39, %33 ]
  %35 = mul nsw i64 %34, %23
  %36 = getelementptr float, ptr %27, i64 %35
  %37 = load float, ptr %36, align 4
  %38 = getelementptr float, ptr %29, i64 %34
  store float %37, ptr %38, align 4
  %39 = add nsw i64 %34, 1
  %40 = icmp eq i64 %39, %10
  br i1 %40, label %30, label %33

41:
  %42 = phi i32 [ 1, %14 ], [ %21, %30 ]
  store ptr %20, ptr %9, align 8
  %43 = getelementptr inbounds i8, ptr %9, i64 8
  store i32 %42, ptr %43, align 8
  call void @spotrf_(ptr %6, ptr %7, ptr %20, ptr %43, ptr %8)
  %44 = load i32, ptr %7, align 4
  %45 = sext i32 %44 to i64
  %46 = load ptr, ptr %9, align 8
  %47 = icmp sgt i32 %44, 0
  br i1 %47, label %48, label %57

48:
  %49 = load i32, ptr %43, align 8
  %50 = sext i32 %49 to i64
  %51 = sext i32 %4 to i64
  br label %52

52:
  %53 = phi i64 [ 0, %48 ], [ %59, %58 ]
  %54 = getelementptr float, ptr %3, i64 %53
  %55 = mul nsw i64 %53, %50
  %56 = getelementptr float, ptr %46, i64 %55
  br label %61

57:
  call void @free(ptr %46)
  br label %71

58:
  %59 = add nsw i64 %53, 1
  %60 = icmp eq i64 %59, %45
  br i1 %60, label %57, label %52

61:
  %62 = phi i64 [ 0, %52 ], [ %67, %61 ]
  %63 = getelementptr float, ptr %56, i64 %62
  %64 = load float, ptr %63, align 4
  %65 = mul nsw i64 %62, %51
  %66 = getelementptr float, ptr %54, i64 %65
  store float %64, ptr %66, align 4
  %67 = add nsw i64 %62, 1
  %68 = icmp eq i64 %67, %45
  br i1 %68, label %58, label %61

69:
  store ptr %3, ptr %9, align 8
  %70 = getelementptr inbounds i8, ptr %9, i64 8
  store i32 %4, ptr %70, align 8
  call void @spotrf_(ptr %6, ptr %7, ptr %3, ptr %70, ptr %8)
  br label %71

71:
  %72 = load i32, ptr %8, align 4
  ret i32 %72
}
declare void @spotrf_(ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_spotrs(i32 %0, i8 %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, i32 %7) {
8:
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca %struct.s_columns, align 8
  %14 = alloca %struct.s_columns, align 8
  store i8 %1, ptr %9, align 1
  store i32 %2, ptr %10, align 4
  store i32 %3, ptr %11, align 4
  %15 = sext i32 %2 to i64
  %16 = icmp eq i32 %0, 101
  %17 = icmp ne ptr %4, null
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %46

19:
  %20 = icmp sgt i32 %2, 0
  %21 = select i1 %20, i64 %15, i64 1
  %22 = call i64 @llvm.smax.i64(i64 %15, i64 1)
  %23 = shl nsw i64 %22, 2
  %24 = mul i64 %23, %21
  %25 = call ptr @malloc(i64 %24)
  %26 = select i1 %20, i32 %2, i32 1
  br i1 %20, label %27, label %46

27:
  %28 = sext i32 %5 to i64
  %29 = zext i32 %2 to i64
  br label %30

30:
  %31 = phi i64 [ 0, %27 ], [ %36, %35 ]
  %32 = getelementptr float, ptr %4, i64 %31
  %33 = mul nsw i64 %31, %29
  %34 = getelementptr float, ptr %25, i64 %33
  br label %38

35:
  %36 = add nsw i64 %31, 1
  %37 = icmp eq i64 %36, %15
  br i1 %37, label %46, label %30

38:
  %39 = phi i64 [ 0, %30 ], [ %44, %38 ]
  %40 = mul nsw i64 %39, %28
  %41 = getelementptr float, ptr %32, i64 %40
  %42 = load float, ptr %41, align 4
  %43 = getelementptr float, ptr %34, i64 %39
  store float %42, ptr %43, align 4
  %44 = add nsw i64 %39, 1
  %45 = icmp eq i64 %44, %15
  br i1 %45, label %35, label %38

46:
  %47 = phi ptr [ %4, %8 ], [ %25, %19 ], [ %25, %35 ]
  %48 = phi i32 [ %5, %8 ], [ 1, %19 ], [ %26, %35 ]
  store ptr %47, ptr %13, align 8
  %49 = getelementptr inbounds i8, ptr %13, i64 8
  store i32 %48, ptr %49, align 8
  %50 = sext i32 %3 to i64
  %51 = icmp ne ptr %6, null
  %52 = and i1 %16, %51
  br i1 %52, label %53, label %82

53:
  %54 = icmp sgt i32 %2, 0
  %55 = call i64 @llvm.smax.i64(i64 %50, i64 1)
  %56 = shl nsw i64 %15, 2
  %57 = select i1 %54, i64 %56, i64 4
  %58 = mul i64 %57, %55
  %59 = call ptr @malloc(i64 %58)
  %60 = select i1 %54, i32 %2, i32 1
  %61 = icmp sgt i32 %3, 0
  br i1 %61, label %62, label %82

62:
  %63 = sext i32 %7 to i64
  %64 = zext i32 %60 to i64
  br label %65

65:
  %66 = phi i64 [ 0, %62 ], [ %72, %71 ]
  %67 = getelementptr float, ptr %6, i64 %66
  br i1 %54, label %68, label %71

68:
  %69 = mul nsw i64 %66, %64
  %70 = getelementptr float, ptr %59, i64 %69
  br label %74

71:
  %72 = add nsw i64 %66, 1
  %73 = icmp eq i64 %72, %50
  br i1 %73, label %82, label %65

74:
  %75 = phi i64 [ 0, %68 ], [ %80, %74 ]
  %76 = mul nsw i64 %75, %63
  %77 = getelementptr float, ptr %67, i64 %76
  %78 = load float, ptr %77, align 4
  %79 = getelementptr float, ptr %70, i64 %75
  store float %78, ptr %79, align 4
  %80 = add nsw i64 %75, 1
  %81 = icmp eq i64 %80, %15
  br i1 %81, label %71, label %74

82:
  %83 = phi ptr [ %6, %46 ], [ %59, %53 ], [ %59, %71 ]
  %84 = phi i32 [ %7, %46 ], [ %60, %53 ], [ %60, %71 ]
  store ptr %83, ptr %14, align 8
  %85 = getelementptr inbounds i8, ptr %14, i64 8
  store i32 %84, ptr %85, align 8
  call void @spotrs_(ptr %9, ptr %10, ptr %11, ptr %47, ptr %49, ptr %83, ptr %85, ptr %12)
  br i1 %18, label %86, label %88

86:
  %87 = load ptr, ptr %13, align 8
  call void @free(ptr %87)
  br label %88

88:
  %89 = load i32, ptr %10, align 4
  %90 = sext i32 %89 to i64
  %91 = load i32, ptr %11, align 4
  %92 = sext i32 %91 to i64
  %93 = load ptr, ptr %14, align 8
  %94 = load i32, ptr %85, align 8
  br i1 %52, label %95, label %119

95:
  %96 = icmp sgt i32 %91, 0
  br i1 %96, label %97, label %107

97:
  %98 = icmp sgt i32 %89, 0
  %99 = sext i32 %94 to i64
  %100 = sext i32 %7 to i64
  br label %101

101:
  %102 = phi i64 [ 0, %97 ], [ %109, %108 ]
  %103 = getelementptr float, ptr %6, i64 %102
  br i1 %98, label %104, label %108

104:
  %105 = mul nsw i64 %102, %99
  %106 = getelementptr float, ptr %93, i64 %105
  br label %111

107:
  call void @free(ptr %93)
  br label %119

108:
  %109 = add nsw i64 %102, 1
  %110 = icmp eq i64 %109, %92
  br i1 %110, label %107, label %101

111:
  %112 = phi i64 [ 0, %104 ], [ %117, %111 ]
  %113 = getelementptr float, ptr %106, i64 %112
  %114 = load float, ptr %113, align 4
  %115 = mul nsw i64 %112, %100
  %116 = getelementptr float, ptr %103, i64 %115
  store float %114, ptr %116, align 4
  %117 = add nsw i64 %112, 1
  %118 = icmp eq i64 %117, %90
  br i1 %118, label %108, label %111

119:
  %120 = load i32, ptr %12, align 4
  ret i32 %120
}
declare void @spotrs_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_sposv(i32 %0, i8 %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, i32 %7) {
8:
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca %struct.s_columns, align 8
  %14 = alloca %struct.s_columns, align 8
  store i8 %1, ptr %9, align 1
  store i32 %2, ptr %10, align 4
  store i32 %3, ptr %11, align 4
  %15 = sext i32 %2 to i64
  %16 = icmp eq i32 %0, 101
  %17 = icmp ne ptr %4, null
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %46

19:
  %20 = icmp sgt i32 %2, 0
  %21 = select i1 %20, i64 %15, i64 1
  %22 = call i64 @llvm.smax.i64(i64 %15, i64 1)
  %23 = shl nsw i64 %22, 2
  %24 = mul i64 %23, %21
  %25 = call ptr @malloc(i64 %24)
  %26 = select i1 %20, i32 %2, i32 1
  br i1 %20, label %27, label %46

27:
  %28 = sext i32 %5 to i64
  %29 = zext i32 %2 to i64
  br label %30

30:
  %31 = phi i64 [ 0, %27 ], [ %36, %35 ]
  %32 = getelementptr float, ptr %4, i64 %31
  %33 = mul nsw i64 %31, %29
  %34 = getelementptr float, ptr %25, i64 %33
  br label %38

35:
  %36 = add nsw i64 %31, 1
  %37 = icmp eq i64 %36, %15
  br i1 %37, label %46, label %30

38:
  %39 = phi i64 [ 0, %30 ], [ %44, %38 ]
  %40 = mul nsw i64 %39, %28
  %41 = getelementptr float, ptr %32, i64 %40
  %42 = load float, ptr %41, align 4
  %43 = getelementptr float, ptr %34, i64 %39
  store float %42, ptr %43, align 4
  %44 = add nsw i64 %39, 1
  %45 = icmp eq i64 %44, %15
  br i1 %45, label %35, label %38

46:
  %47 = phi ptr [ %4, %8 ], [ %25, %19 ], [ %25, %35 ]
  %48 = phi i32 [ %5, %8 ], [ 1, %19 ], [ %26, %35 ]
  store ptr %47, ptr %13, align 8
  %49 = getelementptr inbounds i8, ptr %13, i64 8
  store i32 %48, ptr %49, align 8
  %50 = sext i32 %3 to i64
  %51 = icmp ne ptr %6, null
  %52 = and i1 %16, %51
  br i1 %52, label %53, label %82

53:
  %54 = icmp sgt i32 %2, 0
  %55 = call i64 @llvm.smax.i64(i64 %50, i64 1)
  %56 = shl nsw i64 %15, 2
  %57 = select i1 %54, i64 %56, i64 4
  %58 = mul i64 %57, %55
  %59 = call ptr @malloc(i64 %58)
  %60 = select i1 %54, i32 %2, i32 1
  %61 = icmp sgt i32 %3, 0
  br i1 %61, label %62, label %82

62:
  %63 = sext i32 %7 to i64
  %64 = zext i32 %60 to i64
  br label %65

65:
  %66 = phi i64 [ 0, %62 ], [ %72, %71 ]
  %67 = getelementptr float, ptr %6, i64 %66
  br i1 %54, label %68, label %71

68:
  %69 = mul nsw i64 %66, %64
  %70 = getelementptr float, ptr %59, i64 %69
  br label %74

71:
  %72 = add nsw i64 %66, 1
  %73 = icmp eq i64 %72, %50
  br i1 %73, label %82, label %65

74:
  %75 = phi i64 [ 0, %68 ], [ %80, %74 ]
  %76 = mul nsw i64 %75, %63
  %77 = getelementptr float, ptr %67, i64 %76
  %78 = load float, ptr %77, align 4
  %79 = getelementptr float, ptr %70, i64 %75
  store float %78, ptr %79, align 4
  %80 = add nsw i64 %75, 1
  %81 = icmp eq i64 %80, %15
  br i1 %81, label %71, label %74

82:
  %83 = phi ptr [ %6, %46 ], [ %59, %53 ], [ %59, %71 ]
  %84 = phi i32 [ %7, %46 ], [ %60, %53 ], [ %60, %71 ]
  store ptr %83, ptr %14, align 8
  %85 = getelementptr inbounds i8, ptr %14, i64 8
  store i32 %84, ptr %85, align 8
  call void @spotrf_(ptr %9, ptr %10, ptr %47, ptr %49, ptr %12)
  %86 = load i32, ptr %12, align 4
  %87 = icmp eq i32 %86, 0
  br i1 %87, label %88, label %90

88:
  %89 = load ptr, ptr %13, align 8
  call void @spotrs_(ptr %9, ptr %10, ptr %11, ptr %89, ptr %49, ptr %83, ptr %85, ptr %12)
  br label %90

90:
  %91 = load i32, ptr %10, align 4
  %92 = sext i32 %91 to i64
  %93 = load ptr, ptr %13, align 8
  %94 = load i32, ptr %49, align 8
  br i1 %18, label %95, label %119

95:
  %96 = icmp sgt i32 %91, 0
  br i1 %96, label %97, label %105

97:
  %98 = sext i32 %94 to i64
  %99 = sext i32 %5 to i64
  br label %100

100:
  %101 = phi i64 [ 0, %97 ], [ %109, %108 ]
  %102 = getelementptr float, ptr %4, i64 %101
  %103 = mul nsw i64 %101, %98
  %104 = getelementptr float, ptr %93, i64 %103
  br label %111

105:
  call void @free(ptr %93)
  %106 = load i32, ptr %10, align 4
  %107 = sext i32 %106 to i64
  br label %119

108:
  %109 = add nsw i64 %101, 1
  %110 = icmp eq i64 %109, %92
  br i1 %110, label %105, label %100

111:
  %112 = phi i64 [ 0, %100 ], [ %117, %111 ]
  %113 = getelementptr float, ptr %104, i64 %112
  %114 = load float, ptr %113, align 4
  %115 = mul nsw i64 %112, %99
  %116 = getelementptr float, ptr %102, i64 %115
  store float %114, ptr %116, align 4
  %117 = add nsw i64 %112, 1
  %118 = icmp eq i64 %117, %92
  br i1 %118, label %108, label %111

119:
  %120 = phi i64 [ %92, %90 ], [ %107, %105 ]
  %121 = phi i32 [ %91, %90 ], [ %106, %105 ]
  %122 = load i32, ptr %11, align 4
  %123 = sext i32 %122 to i64
  %124 = load ptr, ptr %14, align 8
  %125 = load i32, ptr %85, align 8
  br i1 %52, label %126, label %150

126:
  %127 = icmp sgt i32 %122, 0
  br i1 %127, label %128, label %138

128:
  %129 = icmp sgt i32 %121, 0
  %130 = sext i32 %125 to i64
  %131 = sext i32 %7 to i64
  br label %132

132:
  %133 = phi i64 [ 0, %128 ], [ %140, %139 ]
  %134 = getelementptr float, ptr %6, i64 %133
  br i1 %129, label %135, label %139

135:
  %136 = mul nsw i64 %133, %130
  %137 = getelementptr float, ptr %124, i64 %136
  br label %142

138:
  call void @free(ptr %124)
  br label %150

139:
  %140 = add nsw i64 %133, 1
  %141 = icmp eq i64 %140, %123
  br i1 %141, label %138, label %132

142:
  %143 = phi i64 [ 0, %135 ], [ %148, %142 ]
  %144 = getelementptr float, ptr %137, i64 %143
  %145 = load float, ptr %144, align 4
  %146 = mul nsw i64 %143, %131
  %147 = getelementptr float, ptr %134, i64 %146
  store float %145, ptr %147, align 4
  %148 = add nsw i64 %143, 1
  %149 = icmp eq i64 %148, %120
  br i1 %149, label %139, label %142

150:
  %151 = load i32, ptr %12, align 4
  ret i32 %151
}
define internal i32 @gradir.body.LAPACKE_sgetrf(i32 %0, i32 %1, i32 %2, ptr %3, i32 %4, ptr %5) {
6:
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca %struct.s_columns, align 8
  store i32 %1, ptr %7, align 4
  store i32 %2, ptr %8, align 4
  %11 = sext i32 %1 to i64
  %12 = sext i32 %2 to i64
  %13 = icmp eq i32 %0, 101
  %14 = icmp ne ptr %3, null
  %15 = and i1 %13, %14
  br i1 %15, label %16, label %76

16:
  %17 = icmp sgt i32 %1, 0
  %18 = call i64 @llvm.smax.i64(i64 %12, i64 1)
  %19 = shl nsw i64 %11, 2
  %20 = select i1 %17, i64 %19, i64 4
  %21 = mul i64 %20, %18
  %22 = call ptr @malloc(i64 %21)
  %23 = select i1 %17, i32 %1, i32 1
  %24 = icmp sgt i32 %2, 0
  br i1 %24, label %25, label %45

25:
  %26 = sext i32 %4 to i64
  %27 = zext i32 %23 to i64
  br label %28

28:
  %29 = phi i64 [ 0, %25 ], [ %35, %34 ]
  %30 = getelementptr float, ptr %3, i64 %29
  br i1 %17, label %31, label %34

31:
  %32 = mul nsw i64 %29, %27
  %33 = getelementptr float, ptr %22, i64 %32
  br label %37

34:
  %35 = add nsw i64 %29, 1
  %36 = icmp eq i64 %35, %12
  br i1 %36, label %45, label %28

37:
  %38 = phi i64 [ 0, %31 ], [ %43, %37 ]
  %39 = mul nsw i64 %38, %26
  %40 = getelementptr float, ptr %30, i64 %39
  %41 = load float, ptr %40, align 4
  %42 = getelementptr float, ptr %33, i64 %38
  store float %41, ptr %42, align 4
  %43 = add nsw i64 %38, 1
  %44 = icmp eq i64 %43, %11
  br i1 %44, label %34, label %37

45:
  store ptr %22, ptr %10, align 8
  %46 = getelementptr inbounds i8, ptr %10, i64 8
  store i32 %23, ptr %46, align 8
  call void @sgetrf_(ptr %7, ptr %8, ptr %22, ptr %46, ptr %5, ptr %9)
  %47 = load i32, ptr %7, align 4
  %48 = sext i32 %47 to i64
  %49 = load i32, ptr %8, align 4
  %50 = sext i32 %49 to i64
  %51 = load ptr, ptr %10, align 8
  %52 = icmp sgt i32 %49, 0
  br i1 %52, label %53, label %64

53:
  %54 = load i32, ptr %46, align 8
  %55 = icmp sgt i32 %47, 0
  %56 = sext i32 %54 to i64
  %57 = sext i32 %4 to i64
  br label %58

58:
  %59 = phi i64 [ 0, %53 ], [ %66, %65 ]
  %60 = getelementptr float, ptr %3, i64 %59
  br i1 %55, label %61, label %65

61:
  %62 = mul nsw i64 %59, %56
  %63 = getelementptr float, ptr %51, i64 %62
  br label %68

64:
  call void @free(ptr %51)
  br label %78

65:
  %66 = add nsw i64 %59, 1
  %67 = icmp eq i64 %66, %50
  br i1 %67, label %64, label %58

68:
  %69 = phi i64 [ 0, %61 ], [ %74, %68 ]
  %70 = getelementptr float, ptr %63, i64 %69
  %71 = load float, ptr %70, align 4
  %72 = mul nsw i64 %69, %57
  %73 = getelementptr float, ptr %60, i64 %72
  store float %71, ptr %73, align 4
  %74 = add nsw i64 %69, 1
  %75 = icmp eq i64 %74, %48
  br i1 %75, label %65, label %68

76:
  store ptr %3, ptr %10, align 8
  %77 = getelementptr inbounds i8, ptr %10, i64 8
  store i32 %4, ptr %77, align 8
  call void @sgetrf_(ptr %7, ptr %8, ptr %3, ptr %77, ptr %5, ptr %9)
  br label %78

78:
  %79 = load i32, ptr %9, align 4
  ret i32 %79
}
declare void @sgetrf_(ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_sgetrs(i32 %0, i8 %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, ptr %7, i32 %8) {
9:
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca %struct.s_columns, align 8
  %15 = alloca %struct.s_columns, align 8
  store i8 %1, ptr %10, align 1
  store i32 %2, ptr %11, align 4
  store i32 %3, ptr %12, align 4
  %16 = sext i32 %2 to i64
  %17 = icmp eq i32 %0, 101
  %18 = icmp ne ptr %4, null
  %19 = and i1 %17, %18
  br i1 %19, label %20, label %47

20:
  %21 = icmp sgt i32 %2, 0
  %22 = select i1 %21, i64 %16, i64 1
  %23 = call i64 @llvm.smax.i64(i64 %16, i64 1)
  %24 = shl nsw i64 %23, 2
  %25 = mul i64 %24, %22
  %26 = call ptr @malloc(i64 %25)
  %27 = select i1 %21, i32 %2, i32 1
  br i1 %21, label %28, label %47

28:
  %29 = sext i32 %5 to i64
  %30 = zext i32 %2 to i64
  br label %31

31:
  %32 = phi i64 [ 0, %28 ], [ %37, %36 ]
  %33 = getelementptr float, ptr %4, i64 %32
  %34 = mul nsw i64 %32, %30
  %35 = getelementptr float, ptr %26, i64 %34
  br label %39

36:
  %37 = add nsw i64 %32, 1
  %38 = icmp eq i64 %37, %16
  br i1 %38, label %47, label %31

39:
  %40 = phi i64 [ 0, %31 ], [ %45, %39 ]
  %41 = mul nsw i64 %40, %29
  %42 = getelementptr float, ptr %33, i64 %41
  %43 = load float, ptr %42, align 4
  %44 = getelementptr float, ptr %35, i64 %40
  store float %43, ptr %44, align 4
  %45 = add nsw i64 %40, 1
  %46 = icmp eq i64 %45, %16
  br i1 %46, label %36, label %39

47:
  %48 = phi ptr [ %4, %9 ], [ %26, %20 ], [ %26, %36 ]
  %49 = phi i32 [ %5, %9 ], [ 1, %20 ], [ %27, %36 ]
  store ptr %48, ptr %14, align 8
  %50 = getelementptr inbounds i8, ptr %14, i64 8
  store i32 %49, ptr %50, align 8
  %51 = sext i32 %3 to i64
  %52 = icmp ne ptr %7, null
  %53 = and i1 %17, %52
  br i1 %53, label %54, label %83

54:
  %55 = icmp sgt i32 %2, 0
  %56 = call i64 @llvm.smax.i64(i64 %51, i64 1)
  %57 = shl nsw i64 %16, 2
  %58 = select i1 %55, i64 %57, i64 4
  %59 = mul i64 %58, %56
  %60 = call ptr @malloc(i64 %59)
  %61 = select i1 %55, i32 %2, i32 1
  %62 = icmp sgt i32 %3, 0
  br i1 %62, label %63, label %83

63:
  %64 = sext i32 %8 to i64
  %65 = zext i32 %61 to i64
  br label %66

66:
  %67 = phi i64 [ 0, %63 ], [ %73, %72 ]
  %68 = getelementptr float, ptr %7, i64 %67
  br i1 %55, label %69, label %72

69:
  %70 = mul nsw i64 %67, %65
  %71 = getelementptr float, ptr %60, i64 %70
  br label %75

72:
  %73 = add nsw i64 %67, 1
  %74 = icmp eq i64 %73, %51
  br i1 %74, label %83, label %66

75:
  %76 = phi i64 [ 0, %69 ], [ %81, %75 ]
  %77 = mul nsw i64 %76, %64
  %78 = getelementptr float, ptr %68, i64 %77
  %79 = load float, ptr %78, align 4
  %80 = getelementptr float, ptr %71, i64 %76
  store float %79, ptr %80, align 4
  %81 = add nsw i64 %76, 1
  %82 = icmp eq i64 %81, %16
  br i1 %82, label %72, label %75

83:
  %84 = phi ptr [ %7, %47 ], [ %60, %54 ], [ %60, %72 ]
  %85 = phi i32 [ %8, %47 ], [ %61, %54 ], [ %61, %72 ]
  store ptr %84, ptr %15, align 8
  %86 = getelementptr inbounds i8, ptr %15, i64 8
  store i32 %85, ptr %86, align 8
  call void @sgetrs_(ptr %10, ptr %11, ptr %12, ptr %48, ptr %50, ptr %6, ptr %84, ptr %86, ptr %13)
  br i1 %19, label %87, label %89

87:
  %88 = load ptr, ptr %14, align 8
  call void @free(ptr %88)
  br label %89

89:
  %90 = load i32, ptr %11, align 4
  %91 = sext i32 %90 to i64
  %92 = load i32, ptr %12, align 4
  %93 = sext i32 %92 to i64
  %94 = load ptr, ptr %15, align 8
  %95 = load i32, ptr %86, align 8
  br i1 %53, label %96, label %120

96:
  %97 = icmp sgt i32 %92, 0
  br i1 %97, label %98, label %108

98:
  %99 = icmp sgt i32 %90, 0
  %100 = sext i32 %95 to i64
  %101 = sext i32 %8 to i64
  br label %102

102:
  %103 = phi i64 [ 0, %98 ], [ %110, %109 ]
  %104 = getelementptr float, ptr %7, i64 %103
  br i1 %99, label %105, label %109

105:
  %106 = mul nsw i64 %103, %100
  %107 = getelementptr float, ptr %94, i64 %106
  br label %112

108:
  call void @free(ptr %94)
  br label %120

109:
  %110 = add nsw i64 %103, 1
  %111 = icmp eq i64 %110, %93
  br i1 %111, label %108, label %102

112:
  %113 = phi i64 [ 0, %105 ], [ %118, %112 ]
  %114 = getelementptr float, ptr %107, i64 %113
  %115 = load float, ptr %114, align 4
  %116 = mul nsw i64 %113, %101
  %117 = getelementptr float, ptr %104, i64 %116
  store float %115, ptr %117, align 4
  %118 = add nsw i64 %113, 1
  %119 = icmp eq i64 %118, %91
  br i1 %119, label %109, label %112

120:
  %121 = load i32, ptr %13, align 4
  ret i32 %121
}
declare void @sgetrs_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_sgesv(i32 %0, i32 %1, i32 %2, ptr %3, i32 %4, ptr %5, ptr %6, i32 %7) {
8:
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca %struct.s_columns, align 8
  %13 = alloca %struct.s_columns, align 8
  store i32 %1, ptr %9, align 4
  store i32 %2, ptr %10, align 4
  %14 = sext i32 %1 to i64
  %15 = icmp eq i32 %0, 101
  %16 = icmp ne ptr %3, null
  %17 = and i1 %15, %16
  br i1 %17, label %18, label %45

18:
  %19 = icmp sgt i32 %1, 0
  %20 = select i1 %19, i64 %14, i64 1
  %21 = call i64 @llvm.smax.i64(i64 %14, i64 1)
  %22 = shl nsw i64 %21, 2
  %23 = mul i64 %22, %20
  %24 = call ptr @malloc(i64 %23)
  %25 = select i1 %19, i32 %1, i32 1
  br i1 %19, label %26, label %45

26:
  %27 = sext i32 %4 to i64
  %28 = zext i32 %1 to i64
  br label %29

29:
  %30 = phi i64 [ 0, %26 ], [ %35, %34 ]
  %31 = getelementptr float, ptr %3, i64 %30
  %32 = mul nsw i64 %30, %28
  %33 = getelementptr float, ptr %24, i64 %32
  br label %37

34:
  %35 = add nsw i64 %30, 1
  %36 = icmp eq i64 %35, %14
  br i1 %36, label %45, label %29

37:
  %38 = phi i64 [ 0, %29 ], [ %43, %37 ]
  %39 = mul nsw i64 %38, %27
  %40 = getelementptr float, ptr %31, i64 %39
  %41 = load float, ptr %40, align 4
  %42 = getelementptr float, ptr %33, i64 %38
  store float %41, ptr %42, align 4
  %43 = add nsw i64 %38, 1
  %44 = icmp eq i64 %43, %14
  br i1 %44, label %34, label %37

45:
  %46 = phi ptr [ %3, %8 ], [ %24, %18 ], [ %24, %34 ]
  %47 = phi i32 [ %4, %8 ], [ 1, %18 ], [ %25, %34 ]
  store ptr %46, ptr %12, align 8
  %48 = getelementptr inbounds i8, ptr %12, i64 8
  store i32 %47, ptr %48, align 8
  %49 = sext i32 %2 to i64
  %50 = icmp ne ptr %6, null
  %51 = and i1 %15, %50
  br i1 %51, label %52, label %81

52:
  %53 = icmp sgt i32 %1, 0
  %54 = call i64 @llvm.smax.i64(i64 %49, i64 1)
  %55 = shl nsw i64 %14, 2
  %56 = select i1 %53, i64 %55, i64 4
  %57 = mul i64 %56, %54
  %58 = call ptr @malloc(i64 %57)
  %59 = select i1 %53, i32 %1, i32 1
  %60 = icmp sgt i32 %2, 0
  br i1 %60, label %61, label %81

61:
  %62 = sext i32 %7 to i64
  %63 = zext i32 %59 to i64
  br label %64

64:
  %65 = phi i64 [ 0, %61 ], [ %71, %70 ]
  %66 = getelementptr float, ptr %6, i64 %65
  br i1 %53, label %67, label %70

67:
  %68 = mul nsw i64 %65, %63
  %69 = getelementptr float, ptr %58, i64 %68
  br label %73

70:
  %71 = add nsw i64 %65, 1
  %72 = icmp eq i64 %71, %49
  br i1 %72, label %81, label %64

73:
  %74 = phi i64 [ 0, %67 ], [ %79, %73 ]
  %75 = mul nsw i64 %74, %62
  %76 = getelementptr float, ptr %66, i64 %75
  %77 = load float, ptr %76, align 4
  %78 = getelementptr float, ptr %69, i64 %74
  store float %77, ptr %78, align 4
  %79 = add nsw i64 %74, 1
  %80 = icmp eq i64 %79, %14
  br i1 %80, label %70, label %73

81:
  %82 = phi ptr [ %6, %45 ], [ %58, %52 ], [ %58, %70 ]
  %83 = phi i32 [ %7, %45 ], [ %59, %52 ], [ %59, %70 ]
  store ptr %82, ptr %13, align 8
  %84 = getelementptr inbounds i8, ptr %13, i64 8
  store i32 %83, ptr %84, align 8
  call void @sgetrf_(ptr %9, ptr %9, ptr %46, ptr %48, ptr %5, ptr %11)
  %85 = load i32, ptr %11, align 4
  %86 = icmp eq i32 %85, 0
  br i1 %86, label %87, label %89

87:
  %88 = load ptr, ptr %12, align 8
  call void @sgetrs_(ptr @gradir.library.str, ptr %9, ptr %10, ptr %88, ptr %48, ptr %5, ptr %82, ptr %84, ptr %11)
  br label %89

89:
  %90 = load i32, ptr %9, align 4
  %91 = sext i32 %90 to i64
  %92 = load ptr, ptr %12, align 8
  %93 = load i32, ptr %48, align 8
  br i1 %17, label %94, label %118

94:
  %95 = icmp sgt i32 %90, 0
  br i1 %95, label %96, label %104

96:
  %97 = sext i32 %93 to i64
  %98 = sext i32 %4 to i64
  br label %99

99:
  %100 = phi i64 [ 0, %96 ], [ %108, %107 ]
  %101 = getelementptr float, ptr %3, i64 %100
  %102 = mul nsw i64 %100, %97
  %103 = getelementptr float, ptr %92, i64 %102
  br label %110

104:
  call void @free(ptr %92)
  %105 = load i32, ptr %9, align 4
  %106 = sext i32 %105 to i64
  br label %118

107:
  %108 = add nsw i64 %100, 1
  %109 = icmp eq i64 %108, %91
  br i1 %109, label %104, label %99

110:
  %111 = phi i64 [ 0, %99 ], [ %116, %110 ]
  %112 = getelementptr float, ptr %103, i64 %111
  %113 = load float, ptr %112, align 4
  %114 = mul nsw i64 %111, %98
  %115 = getelementptr float, ptr %101, i64 %114
  store float %113, ptr %115, align 4
  %116 = add nsw i64 %111, 1
  %117 = icmp eq i64 %116, %91
  br i1 %117, label %107, label %110

118:
  %119 = phi i64 [ %91, %89 ], [ %106, %104 ]
  %120 = phi i32 [ %90, %89 ], [ %105, %104 ]
  %121 = load i32, ptr %10, align 4
  %122 = sext i32 %121 to i64
  %123 = load ptr, ptr %13, align 8
  %124 = load i32, ptr %84, align 8
  br i1 %51, label %125, label %149

125:
  %126 = icmp sgt i32 %121, 0
  br i1 %126, label %127, label %137

127:
  %128 = icmp sgt i32 %120, 0
  %129 = sext i32 %124 to i64
  %130 = sext i32 %7 to i64
  br label %131

131:
  %132 = phi i64 [ 0, %127 ], [ %139, %138 ]
  %133 = getelementptr float, ptr %6, i64 %132
  br i1 %128, label %134, label %138

134:
  %135 = mul nsw i64 %132, %129
  %136 = getelementptr float, ptr %123, i64 %135
  br label %141

137:
  call void @free(ptr %123)
  br label %149

138:
  %139 = add nsw i64 %132, 1
  %140 = icmp eq i64 %139, %122
  br i1 %140, label %137, label %131

141:
  %142 = phi i64 [ 0, %134 ], [ %147, %141 ]
  %143 = getelementptr float, ptr %136, i64 %142
  %144 = load float, ptr %143, align 4
  %145 = mul nsw i64 %142, %130
  %146 = getelementptr float, ptr %133, i64 %145
  store float %144, ptr %146, align 4
  %147 = add nsw i64 %142, 1
  %148 = icmp eq i64 %147, %119
  br i1 %148, label %138, label %141

149:
  %150 = load i32, ptr %11, align 4
  ret i32 %150
}
define internal i32 @gradir.body.LAPACKE_ssyev(i32 %0, i8 %1, i8 %2, i32 %3, ptr %4, i32 %5, ptr %6) {
7:
  %8 = alloca i8, align 1
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca float, align 4
  %14 = alloca %struct.s_columns, align 8
  store i8 %1, ptr %8, align 1
  store i8 %2, ptr %9, align 1
  store i32 %3, ptr %10, align 4
  store i32 -1, ptr %12, align 4
  %15 = sext i32 %3 to i64
  %16 = icmp eq i32 %0, 101
  %17 = icmp ne ptr %4, null
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %46

19:
  %20 = icmp sgt i32 %3, 0
  %21 = select i1 %20, i64 %15, i64 1
  %22 = call i64 @llvm.smax.i64(i64 %15, i64 1)
  %23 = shl nsw i64 %22, 2
  %24 = mul i64 %23, %21
  %25 = call ptr @malloc(i64 %24)
  %26 = select i1 %20, i32 %3, i32 1
  br i1 %20, label %27, label %46

27:
  %28 = sext i32 %5 to i64
  %29 = zext i32 %3 to i64
  br label %30

30:
  %31 = phi i64 [ 0, %27 ], [ %36, %35 ]
  %32 = getelementptr float, ptr %4, i64 %31
  %33 = mul nsw i64 %31, %29
  %34 = getelementptr float, ptr %25, i64 %33
  br label %38

35:
  %36 = add nsw i64 %31, 1
  %37 = icmp eq i64 %36, %15
  br i1 %37, label %46, label %30

38:
  %39 = phi i64 [ 0, %30 ], [ %44, %38 ]
  %40 = mul nsw i64 %39, %28
  %41 = getelementptr float, ptr %32, i64 %40
  %42 = load float, ptr %41, align 4
  %43 = getelementptr float, ptr %34, i64 %39
  store float %42, ptr %43, align 4
  %44 = add nsw i64 %39, 1
  %45 = icmp eq i64 %44, %15
  br i1 %45, label %35, label %38

46:
  %47 = phi ptr [ %4, %7 ], [ %25, %19 ], [ %25, %35 ]
  %48 = phi i32 [ %5, %7 ], [ 1, %19 ], [ %26, %35 ]
  store ptr %47, ptr %14, align 8
  %49 = getelementptr inbounds i8, ptr %14, i64 8
  store i32 %48, ptr %49, align 8
  call void @ssyev_(ptr %8, ptr %9, ptr %10, ptr %47, ptr %49, ptr %6, ptr %13, ptr %12, ptr %11)
  %50 = load float, ptr %13, align 4
  %51 = fptosi float %50 to i32
  store i32 %51, ptr %12, align 4
  %52 = sext i32 %51 to i64
  %53 = shl nsw i64 %52, 2
  %54 = call ptr @malloc(i64 %53)
  %55 = load ptr, ptr %14, align 8
  call void @ssyev_(ptr %8, ptr %9, ptr %10, ptr %55, ptr %49, ptr %6, ptr %54, ptr %12, ptr %11)
  call void @free(ptr %54)
  %56 = load i32, ptr %10, align 4
  %57 = sext i32 %56 to i64
  %58 = load ptr, ptr %14, align 8
  %59 = load i32, ptr %49, align 8
  br i1 %18, label %60, label %82

60:
  %61 = icmp sgt i32 %56, 0
  br i1 %61, label %62, label %70

62:
  %63 = sext i32 %59 to i64
  %64 = sext i32 %5 to i64
  br label %65

65:
  %66 = phi i64 [ 0, %62 ], [ %72, %71 ]
  %67 = getelementptr float, ptr %4, i64 %66
  %68 = mul nsw i64 %66, %63
  %69 = getelementptr float, ptr %58, i64 %68
  br label %74

70:
  call void @free(ptr %58)
  br label %82

71:
  %72 = add nsw i64 %66, 1
  %73 = icmp eq i64 %72, %57
  br i1 %73, label %70, label %65

74:
  %75 = phi i64 [ 0, %65 ], [ %80, %74 ]
  %76 = getelementptr float, ptr %69, i64 %75
  %77 = load float, ptr %76, align 4
  %78 = mul nsw i64 %75, %64
  %79 = getelementptr float, ptr %67, i64 %78
  store float %77, ptr %79, align 4
  %80 = add nsw i64 %75, 1
  %81 = icmp eq i64 %80, %57
  br i1 %81, label %71, label %74

82:
  %83 = load i32, ptr %11, align 4
  ret i32 %83
}
declare void @ssyev_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_ssyevd(i32 %0, i8 %1, i8 %2, i32 %3, ptr %4, i32 %5, ptr %6) {
7:
  %8 = alloca i8, align 1
  %9 = alloca i8, align 1
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca float, align 4
  %16 = alloca %struct.s_columns, align 8
  store i8 %1, ptr %8, align 1
  store i8 %2, ptr %9, align 1
  store i32 %3, ptr %10, align 4
  store i32 -1, ptr %12, align 4
  store i32 -1, ptr %13, align 4
  %17 = sext i32 %3 to i64
  %18 = icmp eq i32 %0, 101
  %19 = icmp ne ptr %4, null
  %20 = and i1 %18, %19
  br i1 %20, label %21, label %48

21:
  %22 = icmp sgt i32 %3, 0
  %23 = select i1 %22, i64 %17, i64 1
  %24 = call i64 @llvm.smax.i64(i64 %17, i64 1)
  %25 = shl nsw i64 %24, 2
  %26 = mul i64 %25, %23
  %27 = call ptr @malloc(i64 %26)
  %28 = select i1 %22, i32 %3, i32 1
  br i1 %22, label %29, label %48

29:
  %30 = sext i32 %5 to i64
  %31 = zext i32 %3 to i64
  br label %32

32:
  %33 = phi i64 [ 0, %29 ], [ %38, %37 ]
  %34 = getelementptr float, ptr %4, i64 %33
  %35 = mul nsw i64 %33, %31
  %36 = getelementptr float, ptr %27, i64 %35
  br label %40

37:
  %38 = add nsw i64 %33, 1
  %39 = icmp eq i64 %38, %17
  br i1 %39, label %48, label %32

40:
  %41 = phi i64 [ 0, %32 ], [ %46, %40 ]
  %42 = mul nsw i64 %41, %30
  %43 = getelementptr float, ptr %34, i64 %42
  %44 = load float, ptr %43, align 4
  %45 = getelementptr float, ptr %36, i64 %41
  store float %44, ptr %45, align 4
  %46 = add nsw i64 %41, 1
  %47 = icmp eq i64 %46, %17
  br i1 %47, label %37, label %40

48:
  %49 = phi ptr [ %4, %7 ], [ %27, %21 ], [ %27, %37 ]
  %50 = phi i32 [ %5, %7 ], [ 1, %21 ], [ %28, %37 ]
  store ptr %49, ptr %16, align 8
  %51 = getelementptr inbounds i8, ptr %16, i64 8
  store i32 %50, ptr %51, align 8
  call void @ssyevd_(ptr %8, ptr %9, ptr %10, ptr %49, ptr %51, ptr %6, ptr %15, ptr %12, ptr %14, ptr %13, ptr %11)
  %52 = load float, ptr %15, align 4
  %53 = fptosi float %52 to i32
  store i32 %53, ptr %12, align 4
  %54 = load i32, ptr %14, align 4
  store i32 %54, ptr %13, align 4
  %55 = sext i32 %53 to i64
  %56 = shl nsw i64 %55, 2
  %57 = call ptr @malloc(i64 %56)
  %58 = sext i32 %54 to i64
  %59 = shl nsw i64 %58, 2
  %60 = call ptr @malloc(i64 %59)
  %61 = load ptr, ptr %16, align 8
  call void @ssyevd_(ptr %8, ptr %9, ptr %10, ptr %61, ptr %51, ptr %6, ptr %57, ptr %12, ptr %60, ptr %13, ptr %11)
  call void @free(ptr %57)
  call void @free(ptr %60)
  %62 = load i32, ptr %10, align 4
  %63 = sext i32 %62 to i64
  %64 = load ptr, ptr %16, align 8
  %65 = load i32, ptr %51, align 8
  br i1 %20, label %66, label %88

66:
  %67 = icmp sgt i32 %62, 0
  br i1 %67, label %68, label %76

68:
  %69 = sext i32 %65 to i64
  %70 = sext i32 %5 to i64
  br label %71

71:
  %72 = phi i64 [ 0, %68 ], [ %78, %77 ]
  %73 = getelementptr float, ptr %4, i64 %72
  %74 = mul nsw i64 %72, %69
  %75 = getelementptr float, ptr %64, i64 %74
  br label %80

76:
  call void @free(ptr %64)
  br label %88

77:
  %78 = add nsw i64 %72, 1
  %79 = icmp eq i64 %78, %63
  br i1 %79, label %76, label %71

80:
  %81 = phi i64 [ 0, %71 ], [ %86, %80 ]
  %82 = getelementptr float, ptr %75, i64 %81
  %83 = load float, ptr %82, align 4
  %84 = mul nsw i64 %81, %70
  %85 = getelementptr float, ptr %73, i64 %84
  store float %83, ptr %85, align 4
  %86 = add nsw i64 %81, 1
  %87 = icmp eq i64 %86, %63
  br i1 %87, label %77, label %80

88:
  %89 = load i32, ptr %11, align 4
  ret i32 %89
}
declare void @ssyevd_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_sgesvd(i32 %0, i8 %1, i8 %2, i32 %3, i32 %4, ptr %5, i32 %6, ptr %7, ptr %8, i32 %9, ptr %10, i32 %11, ptr %12) {
13:
  %14 = alloca i8, align 1
  %15 = alloca i8, align 1
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca float, align 4
  %21 = alloca %struct.s_columns, align 8
  %22 = alloca %struct.s_columns, align 8
  %23 = alloca %struct.s_columns, align 8
  store i8 %1, ptr %14, align 1
  store i8 %2, ptr %15, align 1
  store i32 %3, ptr %16, align 4
  store i32 %4, ptr %17, align 4
  store i32 -1, ptr %19, align 4
  %24 = call i32 @llvm.smin.i32(i32 %3, i32 %4)
  %25 = and i8 %1, -33
  %26 = icmp eq i8 %25, 65
  %27 = icmp eq i8 %25, 83
  %28 = select i1 %27, i32 %24, i32 0
  %29 = select i1 %26, i32 %3, i32 %28
  %30 = and i8 %2, -33
  %31 = icmp eq i8 %30, 65
  %32 = icmp eq i8 %30, 83
  %33 = select i1 %32, i32 %24, i32 0
  %34 = select i1 %31, i32 %4, i32 %33
  %35 = sext i32 %3 to i64
  %36 = sext i32 %4 to i64
  %37 = icmp eq i32 %0, 101
  %38 = icmp ne ptr %5, null
  %39 = and i1 %37, %38
  br i1 %39, label %40, label %69

40:
  %41 = icmp sgt i32 %3, 0
  %42 = call i64 @llvm.smax.i64(i64 %36, i64 1)
  %43 = shl nsw i64 %35, 2
  %44 = select i1 %41, i64 %43, i64 4
  %45 = mul i64 %44, %42
  %46 = call ptr @malloc(i64 %45)
  %47 = select i1 %41, i32 %3, i32 1
  %48 = icmp sgt i32 %4, 0
  br i1 %48, label %49, label %69

49:
  %50 = sext i32 %6 to i64
  %51 = zext i32 %47 to i64
  br label %52

52:
  %53 = phi i64 [ 0, %49 ], [ %59, %58 ]
  %54 = getelementptr float, ptr %5, i64 %53
  br i1 %41, label %55, label %58

55:
  %56 = mul nsw i64 %53, %51
  %57 = getelementptr float, ptr %46, i64 %56
  br label %61

58:
  %59 = add nsw i64 %53, 1
  %60 = icmp eq i64 %59, %36
  br i1 %60, label %69, label %52

61:
  %62 = phi i64 [ 0, %55 ], [ %67, %61 ]
  %63 = mul nsw i64 %62, %50
  %64 = getelementptr float, ptr %54, i64 %63
  %65 = load float, ptr %64, align 4
  %66 = getelementptr float, ptr %57, i64 %62
  store float %65, ptr %66, align 4
  %67 = add nsw i64 %62, 1
  %68 = icmp eq i64 %67, %35
  br i1 %68, label %58, label %61

69:
  %70 = phi ptr [ %5, %13 ], [ %46, %40 ], [ %46, %58 ]
  %71 = phi i32 [ %6, %13 ], [ %47, %40 ], [ %47, %58 ]
  store ptr %70, ptr %21, align 8
  %72 = getelementptr inbounds i8, ptr %21, i64 8
  store i32 %71, ptr %72, align 8
  %73 = sext i32 %29 to i64
  %74 = icmp ne ptr %8, null
  %75 = and i1 %37, %74
  br i1 %75, label %76, label %105

76:
  %77 = icmp sgt i32 %3, 0
  %78 = call i64 @llvm.smax.i64(i64 %73, i64 1)
  %79 = shl nsw i64 %35, 2
  %80 = select i1 %77, i64 %79, i64 4
  %81 = mul i64 %80, %78
  %82 = call ptr @malloc(i64 %81)
  %83 = select i1 %77, i32 %3, i32 1
  %84 = icmp sgt i32 %29, 0
  br i1 %84, label %85, label %105

85:
  %86 = sext i32 %9 to i64
  %87 = zext i32 %83 to i64
  br label %88

88:
  %89 = phi i64 [ 0, %85 ], [ %95, %94 ]
  %90 = getelementptr float, ptr %8, i64 %89
  br i1 %77, label %91, label %94

91:
  %92 = mul nsw i64 %89, %87
  %93 = getelementptr float, ptr %82, i64 %92
  br label %97

94:
  %95 = add nsw i64 %89, 1
  %96 = icmp eq i64 %95, %73
  br i1 %96, label %105, label %88

97:
  %98 = phi i64 [ 0, %91 ], [ %103, %97 ]
  %99 = mul nsw i64 %98, %86
  %100 = getelementptr float, ptr %90, i64 %99
  %101 = load float, ptr %100, align 4
  %102 = getelementptr float, ptr %93, i64 %98
  store float %101, ptr %102, align 4
  %103 = add nsw i64 %98, 1
  %104 = icmp eq i64 %103, %35
  br i1 %104, label %94, label %97

105:
  %106 = phi ptr [ %8, %69 ], [ %82, %76 ], [ %82, %94 ]
  %107 = phi i32 [ %9, %69 ], [ %83, %76 ], [ %83, %94 ]
  store ptr %106, ptr %22, align 8
  %108 = getelementptr inbounds i8, ptr %22, i64 8
  store i32 %107, ptr %108, align 8
  %109 = sext i32 %34 to i64
  %110 = icmp ne ptr %10, null
  %111 = and i1 %37, %110
  br i1 %111, label %112, label %141

112:
  %113 = icmp sgt i32 %34, 0
  %114 = select i1 %113, i64 %109, i64 1
  %115 = call i64 @llvm.smax.i64(i64 %36, i64 1)
  %116 = shl nsw i64 %115, 2
  %117 = mul i64 %116, %114
  %118 = call ptr @malloc(i64 %117)
  %119 = select i1 %113, i32 %34, i32 1
  %120 = icmp sgt i32 %4, 0
  br i1 %120, label %121, label %141

121:
  %122 = sext i32 %11 to i64
  %123 = zext i32 %119 to i64
  br label %124

124:
  %125 = phi i64 [ 0, %121 ], [ %131, %130 ]
  %126 = getelementptr float, ptr %10, i64 %125
  br i1 %113, label %127, label %130

127:
  %128 = mul nsw i64 %125, %123
  %129 = getelementptr float, ptr %118, i64 %128
  br label %133

130:
  %131 = add nsw i64 %125, 1
  %132 = icmp eq i64 %131, %36
  br i1 %132, label %141, label %124

133:
  %134 = phi i64 [ 0, %127 ], [ %139, %133 ]
  %135 = mul nsw i64 %134, %122
  %136 = getelementptr float, ptr %126, i64 %135
  %137 = load float, ptr %136, align 4
  %138 = getelementptr float, ptr %129, i64 %134
  store float %137, ptr %138, align 4
  %139 = add nsw i64 %134, 1
  %140 = icmp eq i64 %139, %109
  br i1 %140, label %130, label %133

141:
  %142 = phi ptr [ %10, %105 ], [ %118, %112 ], [ %118, %130 ]
  %143 = phi i32 [ %11, %105 ], [ %119, %112 ], [ %119, %130 ]
  store ptr %142, ptr %23, align 8
  %144 = getelementptr inbounds i8, ptr %23, i64 8
  store i32 %143, ptr %144, align 8
  call void @sgesvd_(ptr %14, ptr %15, ptr %16, ptr %17, ptr %70, ptr %72, ptr %7, ptr %106, ptr %108, ptr %142, ptr %144, ptr %20, ptr %19, ptr %18)
  %145 = load float, ptr %20, align 4
  %146 = fptosi float %145 to i32
  store i32 %146, ptr %19, align 4
  %147 = sext i32 %146 to i64
  %148 = shl nsw i64 %147, 2
  %149 = call ptr @malloc(i64 %148)
  %150 = load ptr, ptr %21, align 8
  %151 = load ptr, ptr %22, align 8
  %152 = load ptr, ptr %23, align 8
  call void @sgesvd_(ptr %14, ptr %15, ptr %16, ptr %17, ptr %150, ptr %72, ptr %7, ptr %151, ptr %108, ptr %152, ptr %144, ptr %149, ptr %19, ptr %18)
  %153 = load i32, ptr %16, align 4
  %154 = load i32, ptr %17, align 4
  %155 = call i32 @llvm.smin.i32(i32 %153, i32 %154)
  %156 = icmp sgt i32 %155, 1
  br i1 %156, label %157, label %160

157:
  %158 = add nsw i32 %155, -1
  %159 = zext i32 %158 to i64
  br label %251

160:
  call void @free(ptr %149)
  %161 = sext i32 %153 to i64
  %162 = sext i32 %154 to i64
  %163 = load ptr, ptr %21, align 8
  %164 = load i32, ptr %72, align 8
  br i1 %39, label %165, label %191

165:
  %166 = icmp sgt i32 %154, 0
  br i1 %166, label %167, label %177

167:
  %168 = icmp sgt i32 %153, 0
  %169 = sext i32 %164 to i64
  %170 = sext i32 %6 to i64
  br label %171

171:
  %172 = phi i64 [ 0, %167 ], [ %181, %180 ]
  %173 = getelementptr float, ptr %5, i64 %172
  br i1 %168, label %174, label %180

174:
  %175 = mul nsw i64 %172, %169
  %176 = getelementptr float, ptr %163, i64 %175
  br label %183

177:
  call void @free(ptr %163)
  %178 = load i32, ptr %16, align 4
  %179 = sext i32 %178 to i64
  br label %191

180:
  %181 = add nsw i64 %172, 1
  %182 = icmp eq i64 %181, %162
  br i1 %182, label %177, label %171

183:
  %184 = phi i64 [ 0, %174 ], [ %189, %183 ]
  %185 = getelementptr float, ptr %176, i64 %184
  %186 = load float, ptr %185, align 4
  %187 = mul nsw i64 %184, %170
  %188 = getelementptr float, ptr %173, i64 %187
  store float %186, ptr %188, align 4
  %189 = add nsw i64 %184, 1
  %190 = icmp eq i64 %189, %161
  br i1 %190, label %180, label %183

191:
  %192 = phi i64 [ %161, %160 ], [ %179, %177 ]
  %193 = phi i32 [ %153, %160 ], [ %178, %177 ]
  %194 = load ptr, ptr %22, align 8
  %195 = load i32, ptr %108, align 8
  br i1 %75, label %196, label %220

196:
  %197 = icmp sgt i32 %29, 0
  br i1 %197, label %198, label %208

198:
  %199 = icmp sgt i32 %193, 0
  %200 = sext i32 %195 to i64
  %201 = sext i32 %9 to i64
  br label %202

202:
  %203 = phi i64 [ 0, %198 ], [ %210, %209 ]
  %204 = getelementptr float, ptr %8, i64 %203
  br i1 %199, label %205, label %209

205:
  %206 = mul nsw i64 %203, %200
  %207 = getelementptr float, ptr %194, i64 %206
  br label %212

208:
  call void @free(ptr %194)
  br label %220

209:
  %210 = add nsw i64 %203, 1
  %211 = icmp eq i64 %210, %73
  br i1 %211, label %208, label %202

212:
  %213 = phi i64 [ 0, %205 ], [ %218, %212 ]
  %214 = getelementptr float, ptr %207, i64 %213
  %215 = load float, ptr %214, align 4
  %216 = mul nsw i64 %213, %201
  %217 = getelementptr float, ptr %204, i64 %216
  store float %215, ptr %217, align 4
  %218 = add nsw i64 %213, 1
  %219 = icmp eq i64 %218, %192
  br i1 %219, label %209, label %212

220:
  %221 = load i32, ptr %17, align 4
  %222 = sext i32 %221 to i64
  %223 = load ptr, ptr %23, align 8
  %224 = load i32, ptr %144, align 8
  br i1 %111, label %225, label %249

225:
  %226 = icmp sgt i32 %221, 0
  br i1 %226, label %227, label %237

227:
  %228 = icmp sgt i32 %34, 0
  %229 = sext i32 %224 to i64
  %230 = sext i32 %11 to i64
  br label %231

231:
  %232 = phi i64 [ 0, %227 ], [ %239, %238 ]
  %233 = getelementptr float, ptr %10, i64 %232
  br i1 %228, label %234, label %238

234:
  %235 = mul nsw i64 %232, %229
  %236 = getelementptr float, ptr %223, i64 %235
  br label %241

237:
  call void @free(ptr %223)
  br label %249

238:
  %239 = add nsw i64 %232, 1
  %240 = icmp eq i64 %239, %222
  br i1 %240, label %237, label %231

241:
  %242 = phi i64 [ 0, %234 ], [ %247, %241 ]
  %243 = getelementptr float, ptr %236, i64 %242
  %244 = load float, ptr %243, align 4
  %245 = mul nsw i64 %242, %230
  %246 = getelementptr float, ptr %233, i64 %245
  store float %244, ptr %246, align 4
  %247 = add nsw i64 %242, 1
  %248 = icmp eq i64 %247, %109
  br i1 %248, label %238, label %241

249:
  %250 = load i32, ptr %18, align 4
  ret i32 %250

251:
  %252 = phi i64 [ 0, %157 ], [ %253, %251 ]
  %253 = add nsw i64 %252, 1
  %254 = getelementptr inbounds float, ptr %149, i64 %253
  %255 = load float, ptr %254, align 4
  %256 = getelementptr inbounds float, ptr %12, i64 %252
  store float %255, ptr %256, align 4
  %257 = icmp eq i64 %253, %159
  br i1 %257, label %160, label %251
}
declare void @sgesvd_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal i32 @gradir.body.LAPACKE_sgesdd(i32 %0, i8 %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, ptr %7, i32 %8, ptr %9, i32 %10) {
11:
  %12 = alloca i8, align 1
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca float, align 4
  %18 = alloca %struct.s_columns, align 8
  %19 = alloca %struct.s_columns, align 8
  %20 = alloca %struct.s_columns, align 8
  store i8 %1, ptr %12, align 1
  store i32 %2, ptr %13, align 4
  store i32 %3, ptr %14, align 4
  store i32 -1, ptr %16, align 4
  %21 = and i8 %1, -33
  %22 = icmp eq i8 %21, 79
  br i1 %22, label %23, label %27

23:
  %24 = icmp slt i32 %2, %3
  %25 = select i1 %24, i32 %2, i32 0
  %26 = select i1 %24, i32 0, i32 %3
  br label %34

27:
  %28 = call i32 @llvm.smin.i32(i32 %2, i32 %3)
  %29 = icmp eq i8 %21, 65
  %30 = icmp eq i8 %21, 83
  %31 = select i1 %30, i32 %28, i32 0
  %32 = select i1 %29, i32 %2, i32 %31
  %33 = select i1 %29, i32 %3, i32 %31
  br label %34

34:
  %35 = phi i32 [ %25, %23 ], [ %32, %27 ]
  %36 = phi i32 [ %26, %23 ], [ %33, %27 ]
  %37 = sext i32 %2 to i64
  %38 = sext i32 %3 to i64
  %39 = icmp eq i32 %0, 101
  %40 = icmp ne ptr %4, null
  %41 = and i1 %39, %40
  br i1 %41, label %42, label %71

42:
  %43 = icmp sgt i32 %2, 0
  %44 = call i64 @llvm.smax.i64(i64 %38, i64 1)
  %45 = shl nsw i64 %37, 2
  %46 = select i1 %43, i64 %45, i64 4
  %47 = mul i64 %46, %44
  %48 = call ptr @malloc(i64 %47)
  %49 = select i1 %43, i32 %2, i32 1
  %50 = icmp sgt i32 %3, 0
  br i1 %50, label %51, label %71

51:
  %52 = sext i32 %5 to i64
  %53 = zext i32 %49 to i64
  br label %54

54:
  %55 = phi i64 [ 0, %51 ], [ %61, %60 ]
  %56 = getelementptr float, ptr %4, i64 %55
  br i1 %43, label %57, label %60

57:
  %58 = mul nsw i64 %55, %53
  %59 = getelementptr float, ptr %48, i64 %58
  br label %63

60:
  %61 = add nsw i64 %55, 1
  %62 = icmp eq i64 %61, %38
  br i1 %62, label %71, label %54

63:
  %64 = phi i64 [ 0, %57 ], [ %69, %63 ]
  %65 = mul nsw i64 %64, %52
  %66 = getelementptr float, ptr %56, i64 %65
  %67 = load float, ptr %66, align 4
  %68 = getelementptr float, ptr %59, i64 %64
  store float %67, ptr %68, align 4
  %69 = add nsw i64 %64, 1
  %70 = icmp eq i64 %69, %37
  br i1 %70, label %60, label %63

71:
  %72 = phi ptr [ %4, %34 ], [ %48, %42 ], [ %48, %60 ]
  %73 = phi i32 [ %5, %34 ], [ %49, %42 ], [ %49, %60 ]
  store ptr %72, ptr %18, align 8
  %74 = getelementptr inbounds i8, ptr %18, i64 8
  store i32 %73, ptr %74, align 8
  %75 = sext i32 %35 to i64
  %76 = icmp ne ptr %7, null
  %77 = and i1 %39, %76
  br i1 %77, label %78, label %107

78:
  %79 = icmp sgt i32 %2, 0
  %80 = call i64 @llvm.smax.i64(i64 %75, i64 1)
  %81 = shl nsw i64 %37, 2
  %82 = select i1 %79, i64 %81, i64 4
  %83 = mul i64 %82, %80
  %84 = call ptr @malloc(i64 %83)
  %85 = select i1 %79, i32 %2, i32 1
  %86 = icmp sgt i32 %35, 0
  br i1 %86, label %87, label %107

87:
  %88 = sext i32 %8 to i64
  %89 = zext i32 %85 to i64
  br label %90

90:
  %91 = phi i64 [ 0, %87 ], [ %97, %96 ]
  %92 = getelementptr float, ptr %7, i64 %91
  br i1 %79, label %93, label %96

93:
  %94 = mul nsw i64 %91, %89
  %95 = getelementptr float, ptr %84, i64 %94
  br label %99

96:
  %97 = add nsw i64 %91, 1
  %98 = icmp eq i64 %97, %75
  br i1 %98, label %107, label %90

99:
  %100 = phi i64 [ 0, %93 ], [ %105, %99 ]
  %101 = mul nsw i64 %100, %88
  %102 = getelementptr float, ptr %92, i64 %101
  %103 = load float, ptr %102, align 4
  %104 = getelementptr float, ptr %95, i64 %100
  store float %103, ptr %104, align 4
  %105 = add nsw i64 %100, 1
  %106 = icmp eq i64 %105, %37
  br i1 %106, label %96, label %99

107:
  %108 = phi ptr [ %7, %71 ], [ %84, %78 ], [ %84, %96 ]
  %109 = phi i32 [ %8, %71 ], [ %85, %78 ], [ %85, %96 ]
  store ptr %108, ptr %19, align 8
  %110 = getelementptr inbounds i8, ptr %19, i64 8
  store i32 %109, ptr %110, align 8
  %111 = sext i32 %36 to i64
  %112 = icmp ne ptr %9, null
  %113 = and i1 %39, %112
  br i1 %113, label %114, label %143

114:
  %115 = icmp sgt i32 %36, 0
  %116 = select i1 %115, i64 %111, i64 1
  %117 = call i64 @llvm.smax.i64(i64 %38, i64 1)
  %118 = shl nsw i64 %117, 2
  %119 = mul i64 %118, %116
  %120 = call ptr @malloc(i64 %119)
  %121 = select i1 %115, i32 %36, i32 1
  %122 = icmp sgt i32 %3, 0
  br i1 %122, label %123, label %143

123:
  %124 = sext i32 %10 to i64
  %125 = zext i32 %121 to i64
  br label %126

126:
  %127 = phi i64 [ 0, %123 ], [ %133, %132 ]
  %128 = getelementptr float, ptr %9, i64 %127
  br i1 %115, label %129, label %132

129:
  %130 = mul nsw i64 %127, %125
  %131 = getelementptr float, ptr %120, i64 %130
  br label %135

132:
  %133 = add nsw i64 %127, 1
  %134 = icmp eq i64 %133, %38
  br i1 %134, label %143, label %126

135:
  %136 = phi i64 [ 0, %129 ], [ %141, %135 ]
  %137 = mul nsw i64 %136, %124
  %138 = getelementptr float, ptr %128, i64 %137
  %139 = load float, ptr %138, align 4
  %140 = getelementptr float, ptr %131, i64 %136
  store float %139, ptr %140, align 4
  %141 = add nsw i64 %136, 1
  %142 = icmp eq i64 %141, %111
  br i1 %142, label %132, label %135

143:
  %144 = phi ptr [ %9, %107 ], [ %120, %114 ], [ %120, %132 ]
  %145 = phi i32 [ %10, %107 ], [ %121, %114 ], [ %121, %132 ]
  store ptr %144, ptr %20, align 8
  %146 = getelementptr inbounds i8, ptr %20, i64 8
  store i32 %145, ptr %146, align 8
  %147 = call i32 @llvm.smin.i32(i32 %2, i32 %3)
  %148 = icmp sgt i32 %147, 0
  %149 = shl nsw i32 %147, 3
  %150 = zext i32 %149 to i64
  %151 = shl nsw i64 %150, 2
  %152 = select i1 %148, i64 %151, i64 32
  %153 = call ptr @malloc(i64 %152)
  call void @sgesdd_(ptr %12, ptr %13, ptr %14, ptr %72, ptr %74, ptr %6, ptr %108, ptr %110, ptr %144, ptr %146, ptr %17, ptr %16, ptr %153, ptr %15)
  %154 = load float, ptr %17, align 4
  %155 = fptosi float %154 to i32
  store i32 %155, ptr %16, align 4
  %156 = sext i32 %155 to i64
  %157 = shl nsw i64 %156, 2
  %158 = call ptr @malloc(i64 %157)
  %159 = load ptr, ptr %18, align 8
  %160 = load ptr, ptr %19, align 8
  %161 = load ptr, ptr %20, align 8
  call void @sgesdd_(ptr %12, ptr %13, ptr %14, ptr %159, ptr %74, ptr %6, ptr %160, ptr %110, ptr %161, ptr %146, ptr %158, ptr %16, ptr %153, ptr %15)
  call void @free(ptr %158)
  call void @free(ptr %153)
  %162 = load i32, ptr %13, align 4
  %163 = sext i32 %162 to i64
  %164 = load i32, ptr %14, align 4
  %165 = sext i32 %164 to i64
  %166 = load ptr, ptr %18, align 8
  %167 = load i32, ptr %74, align 8
  br i1 %41, label %168, label %194

168:
  %169 = icmp sgt i32 %164, 0
  br i1 %169, label %170, label %180

170:
  %171 = icmp sgt i32 %162, 0
  %172 = sext i32 %167 to i64
  %173 = sext i32 %5 to i64
  br label %174

174:
  %175 = phi i64 [ 0, %170 ], [ %184, %183 ]
  %176 = getelementptr float, ptr %4, i64 %175
  br i1 %171, label %177, label %183

177:
  %178 = mul nsw i64 %175, %172
  %179 = getelementptr float, ptr %166, i64 %178
  br label %186

180:
  call void @free(ptr %166)
  %181 = load i32, ptr %13, align 4
  %182 = sext i32 %181 to i64
  br label %194

183:
  %184 = add nsw i64 %175, 1
  %185 = icmp eq i64 %184, %165
  br i1 %185, label %180, label %174

186:
  %187 = phi i64 [ 0, %177 ], [ %192, %186 ]
  %188 = getelementptr float, ptr %179, i64 %187
  %189 = load float, ptr %188, align 4
  %190 = mul nsw i64 %187, %173
  %191 = getelementptr float, ptr %176, i64 %190
  store float %189, ptr %191, align 4
  %192 = add nsw i64 %187, 1
  %193 = icmp eq i64 %192, %163
  br i1 %193, label %183, label %186

194:
  %195 = phi i64 [ %163, %143 ], [ %182, %180 ]
  %196 = phi i32 [ %162, %143 ], [ %181, %180 ]
  %197 = load ptr, ptr %19, align 8
  %198 = load i32, ptr %110, align 8
  br i1 %77, label %199, label %223

199:
  %200 = icmp sgt i32 %35, 0
  br i1 %200, label %201, label %211

201:
  %202 = icmp sgt i32 %196, 0
  %203 = sext i32 %198 to i64
  %204 = sext i32 %8 to i64
  br label %205

205:
  %206 = phi i64 [ 0, %201 ], [ %213, %212 ]
  %207 = getelementptr float, ptr %7, i64 %206
  br i1 %202, label %208, label %212

208:
  %209 = mul nsw i64 %206, %203
  %210 = getelementptr float, ptr %197, i64 %209
  br label %215

211:
  call void @free(ptr %197)
  br label %223

212:
  %213 = add nsw i64 %206, 1
  %214 = icmp eq i64 %213, %75
  br i1 %214, label %211, label %205

215:
  %216 = phi i64 [ 0, %208 ], [ %221, %215 ]
  %217 = getelementptr float, ptr %210, i64 %216
  %218 = load float, ptr %217, align 4
  %219 = mul nsw i64 %216, %204
  %220 = getelementptr float, ptr %207, i64 %219
  store float %218, ptr %220, align 4
  %221 = add nsw i64 %216, 1
  %222 = icmp eq i64 %221, %195
  br i1 %222, label %212, label %215

223:
  %224 = load i32, ptr %14, align 4
  %225 = sext i32 %224 to i64
  %226 = load ptr, ptr %20, align 8
  %227 = load i32, ptr %146, align 8
  br i1 %113, label %228, label %252

228:
  %229 = icmp sgt i32 %224, 0
  br i1 %229, label %230, label %240

230:
  %231 = icmp sgt i32 %36, 0
  %232 = sext i32 %227 to i64
  %233 = sext i32 %10 to i64
  br label %234

234:
  %235 = phi i64 [ 0, %230 ], [ %242, %241 ]
  %236 = getelementptr float, ptr %9, i64 %235
  br i1 %231, label %237, label %241

237:
  %238 = mul nsw i64 %235, %232
  %239 = getelementptr float, ptr %226, i64 %238
  br label %244

240:
  call void @free(ptr %226)
  br label %252

241:
  %242 = add nsw i64 %235, 1
  %243 = icmp eq i64 %242, %225
  br i1 %243, label %240, label %234

244:
  %245 = phi i64 [ 0, %237 ], [ %250, %244 ]
  %246 = getelementptr float, ptr %239, i64 %245
  %247 = load float, ptr %246, align 4
  %248 = mul nsw i64 %245, %233
  %249 = getelementptr float, ptr %236, i64 %248
  store float %247, ptr %249, align 4
  %250 = add nsw i64 %245, 1
  %251 = icmp eq i64 %250, %111
  br i1 %251, label %241, label %244

252:
  %253 = load i32, ptr %15, align 4
  ret i32 %253
}
declare void @sgesdd_(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal float @gradir.body._FortranASumReal4(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp sgt i8 %7, 1
  br i1 %8, label %9, label %20

9:
  %10 = zext i8 %7 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %25, label %11

20:
  %21 = icmp eq i8 %7, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  br label %29

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = icmp sgt i64 %17, 0
  br i1 %28, label %29, label %48

29:
  %30 = phi i64 [ %24, %22 ], [ %27, %25 ], [ 1, %20 ]
  %31 = phi i64 [ 1, %22 ], [ %17, %25 ], [ 1, %20 ]
  %32 = icmp sgt i64 %30, 0
  %33 = icmp eq ptr %4, null
  %34 = getelementptr inbounds i8, ptr %4, i64 20
  %35 = getelementptr inbounds i8, ptr %4, i64 24
  %36 = getelementptr inbounds i8, ptr %4, i64 64
  %37 = getelementptr inbounds i8, ptr %4, i64 40
  %38 = getelementptr inbounds i8, ptr %4, i64 8
  %39 = icmp slt i8 %7, 3
  %40 = getelementptr inbounds i8, ptr %0, i64 24
  %41 = zext i8 %7 to i64
  %42 = icmp eq i8 %7, 2
  %43 = getelementptr inbounds i8, ptr %0, i64 64
  %44 = getelementptr inbounds i8, ptr %0, i64 40
  br label %45

45:
  %46 = phi float [ 0.000000e+00, %29 ], [ %51, %50 ]
  %47 = phi i64 [ 0, %29 ], [ %52, %50 ]
  br i1 %32, label %54, label %50

48:
  %49 = phi float [ 0.000000e+00, %25 ], [ %51, %50 ]
  ret float %49

50:
  %51 = phi float [ %46, %45 ], [ %135, %134 ]
  %52 = add nsw i64 %47, 1
  %53 = icmp eq i64 %52, %31
  br i1 %53, label %48, label %45

54:
  %55 = phi i64 [ %136, %134 ], [ 0, %45 ]
  %56 = phi float [ %135, %134 ], [ %46, %45 ]
  br i1 %33, label %105, label %57

57:
  %58 = load ptr, ptr %4, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %105, label %60

60:
  %61 = load i8, ptr %34, align 4
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %93, label %63

63:
  %64 = icmp slt i8 %61, 3
  br i1 %64, label %67, label %65

65:
  %66 = zext i8 %61 to i64
  br label %72

67:
  %68 = icmp eq i8 %61, 2
  br i1 %68, label %69, label %87

69:
  %70 = load i64, ptr %36, align 8
  %71 = mul nsw i64 %70, %47
  br label %87

72:
  %73 = phi i64 [ 1, %65 ], [ %85, %72 ]
  %74 = phi i64 [ 0, %65 ], [ %83, %72 ]
  %75 = phi i64 [ %47, %65 ], [ %84, %72 ]
  %76 = getelementptr inbounds %struct.dimension, ptr %35, i64 %73
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load i64, ptr %77, align 8
  %79 = srem i64 %75, %78
  %80 = getelementptr inbounds i8, ptr %76, i64 16
  %81 = load i64, ptr %80, align 8
  %82 = mul nsw i64 %81, %79
  %83 = add nsw i64 %82, %74
  %84 = sdiv i64 %75, %78
  %85 = add nsw i64 %73, 1
  %86 = icmp eq i64 %85, %66
  br i1 %86, label %87, label %72

87:
  %88 = phi i64 [ 0, %67 ], [ %71, %69 ], [ %83, %72 ]
  %89 = load i64, ptr %37, align 8
  %90 = mul nsw i64 %89, %55
  %91 = getelementptr i8, ptr %58, i64 %88
  %92 = getelementptr i8, ptr %91, i64 %90
  br label %93

93:
  %94 = phi ptr [ %92, %87 ], [ %58, %60 ]
  %95 = load i64, ptr %38, align 8
  switch i64 %95, label %99 [    i64 8, label %96    i64 4, label %102  ]

96:
  %97 = load i64, ptr %94, align 8
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %134, label %105

99:
  %100 = load i8, ptr %94, align 1
  %101 = icmp eq i8 %100, 0
  br i1 %101, label %134, label %105

102:
  %103 = load i32, ptr %94, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %134, label %105

105:
  %106 = load ptr, ptr %0, align 8
  br i1 %39, label %107, label %111

107:
  br i1 %42, label %108, label %126

108:
  %109 = load i64, ptr %43, align 8
  %110 = mul nsw i64 %109, %47
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %47, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %40, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %41
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %106, i64 %127
  %129 = load i64, ptr %44, align 8
  %130 = mul nsw i64 %129, %55
  %131 = getelementptr inbounds i8, ptr %128, i64 %130
  %132 = load float, ptr %131, align 4
  %133 = fadd float %56, %132
  br label %134

134:
  %135 = phi float [ %133, %126 ], [ %56, %102 ], [ %56, %96 ], [ %56, %99 ]
  %136 = add nsw i64 %55, 1
  %137 = icmp eq i64 %136, %30
  br i1 %137, label %50, label %54
}
define internal float @gradir.body._FortranAProductReal4(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp sgt i8 %7, 1
  br i1 %8, label %9, label %20

9:
  %10 = zext i8 %7 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %25, label %11

20:
  %21 = icmp eq i8 %7, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  br label %29

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = icmp sgt i64 %17, 0
  br i1 %28, label %29, label %48

29:
  %30 = phi i64 [ %24, %22 ], [ %27, %25 ], [ 1, %20 ]
  %31 = phi i64 [ 1, %22 ], [ %17, %25 ], [ 1, %20 ]
  %32 = icmp sgt i64 %30, 0
  %33 = icmp eq ptr %4, null
  %34 = getelementptr inbounds i8, ptr %4, i64 20
  %35 = getelementptr inbounds i8, ptr %4, i64 24
  %36 = getelementptr inbounds i8, ptr %4, i64 64
  %37 = getelementptr inbounds i8, ptr %4, i64 40
  %38 = getelementptr inbounds i8, ptr %4, i64 8
  %39 = icmp slt i8 %7, 3
  %40 = getelementptr inbounds i8, ptr %0, i64 24
  %41 = zext i8 %7 to i64
  %42 = icmp eq i8 %7, 2
  %43 = getelementptr inbounds i8, ptr %0, i64 64
  %44 = getelementptr inbounds i8, ptr %0, i64 40
  br label %45

45:
  %46 = phi float [ 1.000000e+00, %29 ], [ %51, %50 ]
  %47 = phi i64 [ 0, %29 ], [ %52, %50 ]
  br i1 %32, label %54, label %50

48:
  %49 = phi float [ 1.000000e+00, %25 ], [ %51, %50 ]
  ret float %49

50:
  %51 = phi float [ %46, %45 ], [ %135, %134 ]
  %52 = add nsw i64 %47, 1
  %53 = icmp eq i64 %52, %31
  br i1 %53, label %48, label %45

54:
  %55 = phi i64 [ %136, %134 ], [ 0, %45 ]
  %56 = phi float [ %135, %134 ], [ %46, %45 ]
  br i1 %33, label %105, label %57

57:
  %58 = load ptr, ptr %4, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %105, label %60

60:
  %61 = load i8, ptr %34, align 4
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %93, label %63

63:
  %64 = icmp slt i8 %61, 3
  br i1 %64, label %67, label %65

65:
  %66 = zext i8 %61 to i64
  br label %72

67:
  %68 = icmp eq i8 %61, 2
  br i1 %68, label %69, label %87

69:
  %70 = load i64, ptr %36, align 8
  %71 = mul nsw i64 %70, %47
  br label %87

72:
  %73 = phi i64 [ 1, %65 ], [ %85, %72 ]
  %74 = phi i64 [ 0, %65 ], [ %83, %72 ]
  %75 = phi i64 [ %47, %65 ], [ %84, %72 ]
  %76 = getelementptr inbounds %struct.dimension, ptr %35, i64 %73
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load i64, ptr %77, align 8
  %79 = srem i64 %75, %78
  %80 = getelementptr inbounds i8, ptr %76, i64 16
  %81 = load i64, ptr %80, align 8
  %82 = mul nsw i64 %81, %79
  %83 = add nsw i64 %82, %74
  %84 = sdiv i64 %75, %78
  %85 = add nsw i64 %73, 1
  %86 = icmp eq i64 %85, %66
  br i1 %86, label %87, label %72

87:
  %88 = phi i64 [ 0, %67 ], [ %71, %69 ], [ %83, %72 ]
  %89 = load i64, ptr %37, align 8
  %90 = mul nsw i64 %89, %55
  %91 = getelementptr i8, ptr %58, i64 %88
  %92 = getelementptr i8, ptr %91, i64 %90
  br label %93

93:
  %94 = phi ptr [ %92, %87 ], [ %58, %60 ]
  %95 = load i64, ptr %38, align 8
  switch i64 %95, label %99 [    i64 8, label %96    i64 4, label %102  ]

96:
  %97 = load i64, ptr %94, align 8
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %134, label %105

99:
  %100 = load i8, ptr %94, align 1
  %101 = icmp eq i8 %100, 0
  br i1 %101, label %134, label %105

102:
  %103 = load i32, ptr %94, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %134, label %105

105:
  %106 = load ptr, ptr %0, align 8
  br i1 %39, label %107, label %111

107:
  br i1 %42, label %108, label %126

108:
  %109 = load i64, ptr %43, align 8
  %110 = mul nsw i64 %109, %47
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %47, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %40, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %41
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %106, i64 %127
  %129 = load i64, ptr %44, align 8
  %130 = mul nsw i64 %129, %55
  %131 = getelementptr inbounds i8, ptr %128, i64 %130
  %132 = load float, ptr %131, align 4
  %133 = fmul float %56, %132
  br label %134

134:
  %135 = phi float [ %133, %126 ], [ %56, %102 ], [ %56, %96 ], [ %56, %99 ]
  %136 = add nsw i64 %55, 1
  %137 = icmp eq i64 %136, %30
  br i1 %137, label %50, label %54
}
define internal float @gradir.body._FortranAMaxvalReal4(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp sgt i8 %7, 1
  br i1 %8, label %9, label %20

9:
  %10 = zext i8 %7 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %25, label %11

20:
  %21 = icmp eq i8 %7, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  br label %29

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = icmp sgt i64 %17, 0
  br i1 %28, label %29, label %48

29:
  %30 = phi i64 [ %24, %22 ], [ %27, %25 ], [ 1, %20 ]
  %31 = phi i64 [ 1, %22 ], [ %17, %25 ], [ 1, %20 ]
  %32 = icmp sgt i64 %30, 0
  %33 = icmp eq ptr %4, null
  %34 = getelementptr inbounds i8, ptr %4, i64 20
  %35 = getelementptr inbounds i8, ptr %4, i64 24
  %36 = getelementptr inbounds i8, ptr %4, i64 64
  %37 = getelementptr inbounds i8, ptr %4, i64 40
  %38 = getelementptr inbounds i8, ptr %4, i64 8
  %39 = icmp slt i8 %7, 3
  %40 = getelementptr inbounds i8, ptr %0, i64 24
  %41 = zext i8 %7 to i64
  %42 = icmp eq i8 %7, 2
  %43 = getelementptr inbounds i8, ptr %0, i64 64
  %44 = getelementptr inbounds i8, ptr %0, i64 40
  br label %45

45:
  %46 = phi float [ 0xC7EFFFFFE0000000, %29 ], [ %51, %50 ]
  %47 = phi i64 [ 0, %29 ], [ %52, %50 ]
  br i1 %32, label %54, label %50

48:
  %49 = phi float [ 0xC7EFFFFFE0000000, %25 ], [ %51, %50 ]
  ret float %49

50:
  %51 = phi float [ %46, %45 ], [ %136, %135 ]
  %52 = add nsw i64 %47, 1
  %53 = icmp eq i64 %52, %31
  br i1 %53, label %48, label %45

54:
  %55 = phi float [ %136, %135 ], [ %46, %45 ]
  %56 = phi i64 [ %137, %135 ], [ 0, %45 ]
  br i1 %33, label %105, label %57

57:
  %58 = load ptr, ptr %4, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %105, label %60

60:
  %61 = load i8, ptr %34, align 4
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %93, label %63

63:
  %64 = icmp slt i8 %61, 3
  br i1 %64, label %67, label %65

65:
  %66 = zext i8 %61 to i64
  br label %72

67:
  %68 = icmp eq i8 %61, 2
  br i1 %68, label %69, label %87

69:
  %70 = load i64, ptr %36, align 8
  %71 = mul nsw i64 %70, %47
  br label %87

72:
  %73 = phi i64 [ 1, %65 ], [ %85, %72 ]
  %74 = phi i64 [ 0, %65 ], [ %83, %72 ]
  %75 = phi i64 [ %47, %65 ], [ %84, %72 ]
  %76 = getelementptr inbounds %struct.dimension, ptr %35, i64 %73
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load i64, ptr %77, align 8
  %79 = srem i64 %75, %78
  %80 = getelementptr inbounds i8, ptr %76, i64 16
  %81 = load i64, ptr %80, align 8
  %82 = mul nsw i64 %81, %79
  %83 = add nsw i64 %82, %74
  %84 = sdiv i64 %75, %78
  %85 = add nsw i64 %73, 1
  %86 = icmp eq i64 %85, %66
  br i1 %86, label %87, label %72

87:
  %88 = phi i64 [ 0, %67 ], [ %71, %69 ], [ %83, %72 ]
  %89 = load i64, ptr %37, align 8
  %90 = mul nsw i64 %89, %56
  %91 = getelementptr i8, ptr %58, i64 %88
  %92 = getelementptr i8, ptr %91, i64 %90
  br label %93

93:
  %94 = phi ptr [ %92, %87 ], [ %58, %60 ]
  %95 = load i64, ptr %38, align 8
  switch i64 %95, label %99 [    i64 8, label %96    i64 4, label %102  ]

96:
  %97 = load i64, ptr %94, align 8
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %135, label %105

99:
  %100 = load i8, ptr %94, align 1
  %101 = icmp eq i8 %100, 0
  br i1 %101, label %135, label %105

102:
  %103 = load i32, ptr %94, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %135, label %105

105:
  %106 = load ptr, ptr %0, align 8
  br i1 %39, label %107, label %111

107:
  br i1 %42, label %108, label %126

108:
  %109 = load i64, ptr %43, align 8
  %110 = mul nsw i64 %109, %47
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %47, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %40, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %41
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %106, i64 %127
  %129 = load i64, ptr %44, align 8
  %130 = mul nsw i64 %129, %56
  %131 = getelementptr inbounds i8, ptr %128, i64 %130
  %132 = load float, ptr %131, align 4
  %133 = fcmp ogt float %132, %55
  %134 = select i1 %133, float %132, float %55
  br label %135

135:
  %136 = phi float [ %134, %126 ], [ %55, %102 ], [ %55, %96 ], [ %55, %99 ]
  %137 = add nsw i64 %56, 1
  %138 = icmp eq i64 %137, %30
  br i1 %138, label %50, label %54
}
define internal float @gradir.body._FortranAMinvalReal4(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp sgt i8 %7, 1
  br i1 %8, label %9, label %20

9:
  %10 = zext i8 %7 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %25, label %11

20:
  %21 = icmp eq i8 %7, 0
  br i1 %21, label %29, label %22

22:
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = load i64, ptr %23, align 8
  br label %29

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = icmp sgt i64 %17, 0
  br i1 %28, label %29, label %48

29:
  %30 = phi i64 [ %24, %22 ], [ %27, %25 ], [ 1, %20 ]
  %31 = phi i64 [ 1, %22 ], [ %17, %25 ], [ 1, %20 ]
  %32 = icmp sgt i64 %30, 0
  %33 = icmp eq ptr %4, null
  %34 = getelementptr inbounds i8, ptr %4, i64 20
  %35 = getelementptr inbounds i8, ptr %4, i64 24
  %36 = getelementptr inbounds i8, ptr %4, i64 64
  %37 = getelementptr inbounds i8, ptr %4, i64 40
  %38 = getelementptr inbounds i8, ptr %4, i64 8
  %39 = icmp slt i8 %7, 3
  %40 = getelementptr inbounds i8, ptr %0, i64 24
  %41 = zext i8 %7 to i64
  %42 = icmp eq i8 %7, 2
  %43 = getelementptr inbounds i8, ptr %0, i64 64
  %44 = getelementptr inbounds i8, ptr %0, i64 40
  br label %45

45:
  %46 = phi float [ 0x47EFFFFFE0000000, %29 ], [ %51, %50 ]
  %47 = phi i64 [ 0, %29 ], [ %52, %50 ]
  br i1 %32, label %54, label %50

48:
  %49 = phi float [ 0x47EFFFFFE0000000, %25 ], [ %51, %50 ]
  ret float %49

50:
  %51 = phi float [ %46, %45 ], [ %136, %135 ]
  %52 = add nsw i64 %47, 1
  %53 = icmp eq i64 %52, %31
  br i1 %53, label %48, label %45

54:
  %55 = phi float [ %136, %135 ], [ %46, %45 ]
  %56 = phi i64 [ %137, %135 ], [ 0, %45 ]
  br i1 %33, label %105, label %57

57:
  %58 = load ptr, ptr %4, align 8
  %59 = icmp eq ptr %58, null
  br i1 %59, label %105, label %60

60:
  %61 = load i8, ptr %34, align 4
  %62 = icmp eq i8 %61, 0
  br i1 %62, label %93, label %63

63:
  %64 = icmp slt i8 %61, 3
  br i1 %64, label %67, label %65

65:
  %66 = zext i8 %61 to i64
  br label %72

67:
  %68 = icmp eq i8 %61, 2
  br i1 %68, label %69, label %87

69:
  %70 = load i64, ptr %36, align 8
  %71 = mul nsw i64 %70, %47
  br label %87

72:
  %73 = phi i64 [ 1, %65 ], [ %85, %72 ]
  %74 = phi i64 [ 0, %65 ], [ %83, %72 ]
  %75 = phi i64 [ %47, %65 ], [ %84, %72 ]
  %76 = getelementptr inbounds %struct.dimension, ptr %35, i64 %73
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load i64, ptr %77, align 8
  %79 = srem i64 %75, %78
  %80 = getelementptr inbounds i8, ptr %76, i64 16
  %81 = load i64, ptr %80, align 8
  %82 = mul nsw i64 %81, %79
  %83 = add nsw i64 %82, %74
  %84 = sdiv i64 %75, %78
  %85 = add nsw i64 %73, 1
  %86 = icmp eq i64 %85, %66
  br i1 %86, label %87, label %72

87:
  %88 = phi i64 [ 0, %67 ], [ %71, %69 ], [ %83, %72 ]
  %89 = load i64, ptr %37, align 8
  %90 = mul nsw i64 %89, %56
  %91 = getelementptr i8, ptr %58, i64 %88
  %92 = getelementptr i8, ptr %91, i64 %90
  br label %93

93:
  %94 = phi ptr [ %92, %87 ], [ %58, %60 ]
  %95 = load i64, ptr %38, align 8
  switch i64 %95, label %99 [    i64 8, label %96    i64 4, label %102  ]

96:
  %97 = load i64, ptr %94, align 8
  %98 = icmp eq i64 %97, 0
  br i1 %98, label %135, label %105

99:
  %100 = load i8, ptr %94, align 1
  %101 = icmp eq i8 %100, 0
  br i1 %101, label %135, label %105

102:
  %103 = load i32, ptr %94, align 4
  %104 = icmp eq i32 %103, 0
  br i1 %104, label %135, label %105

105:
  %106 = load ptr, ptr %0, align 8
  br i1 %39, label %107, label %111

107:
  br i1 %42, label %108, label %126

108:
  %109 = load i64, ptr %43, align 8
  %110 = mul nsw i64 %109, %47
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %47, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %40, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %41
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %106, i64 %127
  %129 = load i64, ptr %44, align 8
  %130 = mul nsw i64 %129, %56
  %131 = getelementptr inbounds i8, ptr %128, i64 %130
  %132 = load float, ptr %131, align 4
  %133 = fcmp olt float %132, %55
  %134 = select i1 %133, float %132, float %55
  br label %135

135:
  %136 = phi float [ %134, %126 ], [ %55, %102 ], [ %55, %96 ], [ %55, %99 ]
  %137 = add nsw i64 %56, 1
  %138 = icmp eq i64 %137, %30
  br i1 %138, label %50, label %54
}
define internal float @gradir.body._FortranANorm2_4(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %0, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp sgt i8 %6, 1
  br i1 %7, label %8, label %19

8:
  %9 = zext i8 %6 to i64
  br label %10

10:
  %11 = phi i64 [ 1, %8 ], [ %17, %10 ]
  %12 = phi i64 [ 1, %8 ], [ %16, %10 ]
  %13 = getelementptr inbounds %struct.dimension, ptr %0, i64 %11
  %14 = getelementptr inbounds i8, ptr %13, i64 32
  %15 = load i64, ptr %14, align 8
  %16 = mul nsw i64 %15, %12
  %17 = add nsw i64 %11, 1
  %18 = icmp eq i64 %17, %9
  br i1 %18, label %24, label %10

19:
  %20 = icmp eq i8 %6, 0
  br i1 %20, label %28, label %21

21:
  %22 = getelementptr inbounds i8, ptr %0, i64 32
  %23 = load i64, ptr %22, align 8
  br label %28

24:
  %25 = getelementptr inbounds i8, ptr %0, i64 32
  %26 = load i64, ptr %25, align 8
  %27 = icmp sgt i64 %16, 0
  br i1 %27, label %28, label %119

28:
  %29 = phi i64 [ %23, %21 ], [ %26, %24 ], [ 1, %19 ]
  %30 = phi i64 [ 1, %21 ], [ %16, %24 ], [ 1, %19 ]
  %31 = phi i1 [ false, %21 ], [ false, %24 ], [ true, %19 ]
  %32 = icmp sgt i64 %29, 0
  %33 = icmp slt i8 %6, 3
  %34 = getelementptr inbounds i8, ptr %0, i64 24
  %35 = zext i8 %6 to i64
  %36 = getelementptr inbounds i8, ptr %0, i64 40
  %37 = icmp eq i8 %6, 2
  %38 = getelementptr inbounds i8, ptr %0, i64 64
  br label %39

39:
  %40 = phi float [ 0.000000e+00, %28 ], [ %49, %48 ]
  %41 = phi i64 [ 0, %28 ], [ %50, %48 ]
  br i1 %32, label %42, label %48

42:
  %43 = load ptr, ptr %0, align 8
  br label %52

44:
  %45 = fcmp ogt float %49, 0x3830000000000000
  %46 = fcmp olt float %49, 0x47B0000000000000
  %47 = and i1 %45, %46
  br i1 %47, label %116, label %118

48:
  %49 = phi float [ %40, %39 ], [ %113, %109 ]
  %50 = add nsw i64 %41, 1
  %51 = icmp eq i64 %50, %30
  br i1 %51, label %44, label %39

52:
  %53 = phi float [ %40, %42 ], [ %113, %109 ]
  %54 = phi i64 [ 0, %42 ], [ %114, %109 ]
  br i1 %33, label %55, label %56

55:
  br i1 %37, label %82, label %77

56:
  %57 = phi i64 [ %69, %56 ], [ 1, %52 ]
  %58 = phi i64 [ %67, %56 ], [ 0, %52 ]
  %59 = phi i64 [ %68, %56 ], [ %41, %52 ]
  %60 = getelementptr inbounds %struct.dimension, ptr %34, i64 %57
  %61 = getelementptr inbounds i8, ptr %60, i64 8
  %62 = load i64, ptr %61, align 8
  %63 = srem i64 %59, %62
  %64 = getelementptr inbounds i8, ptr %60, i64 16
  %65 = load i64, ptr %64, align 8
  %66 = mul nsw i64 %65, %63
  %67 = add nsw i64 %66, %58
  %68 = sdiv i64 %59, %62
  %69 = add nsw i64 %57, 1
  %70 = icmp eq i64 %69, %35
  br i1 %70, label %71, label %56

71:
  %72 = getelementptr inbounds i8, ptr %43, i64 %67
  %73 = load i64, ptr %36, align 8
  %74 = mul nsw i64 %73, %54
  %75 = getelementptr inbounds i8, ptr %72, i64 %74
  %76 = load float, ptr %75, align 4
  br label %90

77:
  %78 = load i64, ptr %36, align 8
  %79 = mul nsw i64 %78, %54
  %80 = getelementptr inbounds i8, ptr %43, i64 %79
  %81 = load float, ptr %80, align 4
  br label %109

82:
  %83 = load i64, ptr %38, align 8
  %84 = mul nsw i64 %83, %41
  %85 = getelementptr inbounds i8, ptr %43, i64 %84
  %86 = load i64, ptr %36, align 8
  %87 = mul nsw i64 %86, %54
  %88 = getelementptr inbounds i8, ptr %85, i64 %87
  %89 = load float, ptr %88, align 4
  br label %109

90:
  %91 = phi i64 [ 1, %71 ], [ %103, %90 ]
  %92 = phi i64 [ 0, %71 ], [ %101, %90 ]
  %93 = phi i64 [ %41, %71 ], [ %102, %90 ]
  %94 = getelementptr inbounds %struct.dimension, ptr %34, i64 %91
  %95 = getelementptr inbounds i8, ptr %94, i64 8
  %96 = load i64, ptr %95, align 8
  %97 = srem i64 %93, %96
  %98 = getelementptr inbounds i8, ptr %94, i64 16
  %99 = load i64, ptr %98, align 8
  %100 = mul nsw i64 %99, %97
  %101 = add nsw i64 %100, %92
  %102 = sdiv i64 %93, %96
  %103 = add nsw i64 %91, 1
  %104 = icmp eq i64 %103, %35
  br i1 %104, label %105, label %90

105:
  %106 = getelementptr inbounds i8, ptr %43, i64 %101
  %107 = getelementptr inbounds i8, ptr %106, i64 %74
  %108 = load float, ptr %107, align 4
  br label %109

109:
  %110 = phi float [ %81, %77 ], [ %89, %82 ], [ %108, %105 ]
  %111 = phi float [ %81, %77 ], [ %89, %82 ], [ %76, %105 ]
  %112 = fmul float %111, %110
  %113 = fadd float %53, %112
  %114 = add nsw i64 %54, 1
  %115 = icmp eq i64 %114, %29
  br i1 %115, label %48, label %52

116:
  %117 = call float @llvm.sqrt.f32(float %49)
  br label %268

118:
  br i1 %7, label %119, label %131

119:
  %120 = phi i1 [ %31, %118 ], [ false, %24 ]
  %121 = zext i8 %6 to i64
  br label %122

122:
  %123 = phi i64 [ 1, %119 ], [ %129, %122 ]
  %124 = phi i64 [ 1, %119 ], [ %128, %122 ]
  %125 = getelementptr inbounds %struct.dimension, ptr %0, i64 %123
  %126 = getelementptr inbounds i8, ptr %125, i64 32
  %127 = load i64, ptr %126, align 8
  %128 = mul nsw i64 %127, %124
  %129 = add nsw i64 %123, 1
  %130 = icmp eq i64 %129, %121
  br i1 %130, label %131, label %122

131:
  %132 = phi i1 [ %31, %118 ], [ %120, %122 ]
  %133 = phi i64 [ 1, %118 ], [ %128, %122 ]
  br i1 %132, label %137, label %134

134:
  %135 = getelementptr inbounds i8, ptr %0, i64 32
  %136 = load i64, ptr %135, align 8
  br label %137

137:
  %138 = phi i64 [ %136, %134 ], [ 1, %131 ]
  %139 = icmp sgt i64 %133, 0
  br i1 %139, label %140, label %268

140:
  %141 = icmp sgt i64 %138, 0
  %142 = icmp slt i8 %6, 3
  %143 = getelementptr inbounds i8, ptr %0, i64 24
  %144 = zext i8 %6 to i64
  %145 = icmp eq i8 %6, 2
  %146 = getelementptr inbounds i8, ptr %0, i64 64
  %147 = getelementptr inbounds i8, ptr %0, i64 40
  br label %148

148:
  %149 = phi float [ 0.000000e+00, %140 ], [ %157, %156 ]
  %150 = phi i64 [ 0, %140 ], [ %158, %156 ]
  br i1 %141, label %151, label %156

151:
  %152 = load ptr, ptr %0, align 8
  %153 = load i64, ptr %147, align 8
  br label %160

154:
  %155 = fcmp oeq float %157, 0.000000e+00
  br i1 %155, label %268, label %192

156:
  %157 = phi float [ %149, %148 ], [ %189, %182 ]
  %158 = add nsw i64 %150, 1
  %159 = icmp eq i64 %158, %133
  br i1 %159, label %154, label %148

160:
  %161 = phi float [ %149, %151 ], [ %189, %182 ]
  %162 = phi i64 [ 0, %151 ], [ %190, %182 ]
  br i1 %142, label %163, label %167

163:
  br i1 %145, label %164, label %182

164:
  %165 = load i64, ptr %146, align 8
  %166 = mul nsw i64 %165, %150
  br label %182

167:
  %168 = phi i64 [ %180, %167 ], [ 1, %160 ]
  %169 = phi i64 [ %178, %167 ], [ 0, %160 ]
  %170 = phi i64 [ %179, %167 ], [ %150, %160 ]
  %171 = getelementptr inbounds %struct.dimension, ptr %143, i64 %168
  %172 = getelementptr inbounds i8, ptr %171, i64 8
  %173 = load i64, ptr %172, align 8
  %174 = srem i64 %170, %173
  %175 = getelementptr inbounds i8, ptr %171, i64 16
  %176 = load i64, ptr %175, align 8
  %177 = mul nsw i64 %176, %174
  %178 = add nsw i64 %177, %169
  %179 = sdiv i64 %170, %173
  %180 = add nsw i64 %168, 1
  %181 = icmp eq i64 %180, %144
  br i1 %181, label %182, label %167

182:
  %183 = phi i64 [ 0, %163 ], [ %166, %164 ], [ %178, %167 ]
  %184 = getelementptr inbounds i8, ptr %152, i64 %183
  %185 = mul nsw i64 %153, %162
  %186 = getelementptr inbounds i8, ptr %184, i64 %185
  %187 = load float, ptr %186, align 4
  %188 = call float @llvm.fabs.f32(float %187)
  %189 = call float @llvm.maxnum.f32(float %161, float %188)
  %190 = add nsw i64 %162, 1
  %191 = icmp eq i64 %190, %138
  br i1 %191, label %156, label %160

192:
  br i1 %7, label %193, label %204

193:
  %194 = zext i8 %6 to i64
  br label %195

195:
  %196 = phi i64 [ 1, %193 ], [ %202, %195 ]
  %197 = phi i64 [ 1, %193 ], [ %201, %195 ]
  %198 = getelementptr inbounds %struct.dimension, ptr %0, i64 %196
  %199 = getelementptr inbounds i8, ptr %198, i64 32
  %200 = load i64, ptr %199, align 8
  %201 = mul nsw i64 %200, %197
  %202 = add nsw i64 %196, 1
  %203 = icmp eq i64 %202, %194
  br i1 %203, label %204, label %195

204:
  %205 = phi i64 [ 1, %192 ], [ %201, %195 ]
  br i1 %132, label %209, label %206

206:
  %207 = getelementptr inbounds i8, ptr %0, i64 32
  %208 = load i64, ptr %207, align 8
  br label %209

209:
  %210 = phi i64 [ %208, %206 ], [ 1, %204 ]
  %211 = icmp sgt i64 %205, 0
  br i1 %211, label %212, label %228

212:
  %213 = icmp sgt i64 %210, 0
  %214 = icmp slt i8 %6, 3
  %215 = getelementptr inbounds i8, ptr %0, i64 24
  %216 = zext i8 %6 to i64
  %217 = icmp eq i8 %6, 2
  %218 = getelementptr inbounds i8, ptr %0, i64 64
  %219 = getelementptr inbounds i8, ptr %0, i64 40
  br label %220

220:
  %221 = phi float [ 0.000000e+00, %212 ], [ %232, %231 ]
  %222 = phi i64 [ 0, %212 ], [ %233, %231 ]
  br i1 %213, label %223, label %231

223:
  %224 = load ptr, ptr %0, align 8
  %225 = load i64, ptr %219, align 8
  br label %235

226:
  %227 = call float @llvm.sqrt.f32(float %232)
  br label %228

228:
  %229 = phi float [ 0.000000e+00, %209 ], [ %227, %226 ]
  %230 = fmul float %157, %229
  br label %268

231:
  %232 = phi float [ %221, %220 ], [ %265, %257 ]
  %233 = add nsw i64 %222, 1
  %234 = icmp eq i64 %233, %205
  br i1 %234, label %226, label %220

235:
  %236 = phi i64 [ 0, %223 ], [ %266, %257 ]
  %237 = phi float [ %221, %223 ], [ %265, %257 ]
  br i1 %214, label %238, label %242

238:
  br i1 %217, label %239, label %257

239:
  %240 = load i64, ptr %218, align 8
  %241 = mul nsw i64 %240, %222
  br label %257

242:
  %243 = phi i64 [ %255, %242 ], [ 1, %235 ]
  %244 = phi i64 [ %253, %242 ], [ 0, %235 ]
  %245 = phi i64 [ %254, %242 ], [ %222, %235 ]
  %246 = getelementptr inbounds %struct.dimension, ptr %215, i64 %243
  %247 = getelementptr inbounds i8, ptr %246, i64 8
  %248 = load i64, ptr %247, align 8
  %249 = srem i64 %245, %248
  %250 = getelementptr inbounds i8, ptr %246, i64 16
  %251 = load i64, ptr %250, align 8
  %252 = mul nsw i64 %251, %249
  %253 = add nsw i64 %252, %244
  %254 = sdiv i64 %245, %248
  %255 = add nsw i64 %243, 1
  %256 = icmp eq i64 %255, %216
  br i1 %256, label %257, label %242

257:
  %258 = phi i64 [ 0, %238 ], [ %241, %239 ], [ %253, %242 ]
  %259 = getelementptr inbounds i8, ptr %224, i64 %258
  %260 = mul nsw i64 %225, %236
  %261 = getelementptr inbounds i8, ptr %259, i64 %260
  %262 = load float, ptr %261, align 4
  %263 = fdiv float %262, %157
  %264 = fmul float %263, %263
  %265 = fadd float %237, %264
  %266 = add nsw i64 %236, 1
  %267 = icmp eq i64 %266, %210
  br i1 %267, label %231, label %235

268:
  %269 = phi float [ %117, %116 ], [ %230, %228 ], [ 0.000000e+00, %154 ], [ 0.000000e+00, %137 ]
  ret float %269
}
declare float @llvm.sqrt.f32(float)
declare float @llvm.maxnum.f32(float, float)
define internal float @gradir.body._FortranADotProductReal4(ptr %0, ptr %1, ptr %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %0, i64 32
  %6 = getelementptr inbounds i8, ptr %0, i64 20
  %7 = load i8, ptr %6, align 4
  %8 = icmp eq i8 %7, 0
  %9 = getelementptr inbounds i8, ptr %0, i64 40
  %10 = getelementptr inbounds i8, ptr %1, i64 40
  br label %11

11:
  %12 = phi float [ 0.000000e+00, %4 ], [ %32, %20 ]
  %13 = phi i64 [ 0, %4 ], [ %33, %20 ]
  br i1 %8, label %17, label %14

14:
  %15 = load i64, ptr %5, align 8
  %16 = icmp slt i64 %13, %15
  br i1 %16, label %20, label %19

17:
  %18 = icmp eq i64 %13, 0
  br i1 %18, label %20, label %19

19:
  ret float %12

20:
  %21 = load ptr, ptr %0, align 8
  %22 = load i64, ptr %9, align 8
  %23 = mul nsw i64 %22, %13
  %24 = getelementptr inbounds i8, ptr %21, i64 %23
  %25 = load float, ptr %24, align 4
  %26 = load ptr, ptr %1, align 8
  %27 = load i64, ptr %10, align 8
  %28 = mul nsw i64 %27, %13
  %29 = getelementptr inbounds i8, ptr %26, i64 %28
  %30 = load float, ptr %29, align 4
  %31 = fmul float %25, %30
  %32 = fadd float %12, %31
  %33 = add nsw i64 %13, 1
  br label %11
}
define internal void @gradir.body._FortranAMatmulReal4Real4(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = alloca %struct.descriptor, align 8
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  %10 = zext i1 %9 to i8
  %11 = getelementptr inbounds i8, ptr %2, i64 20
  %12 = load i8, ptr %11, align 4
  %13 = icmp sgt i8 %12, 1
  %14 = zext i1 %13 to i8
  %15 = add nsw i8 %14, %10
  %16 = icmp eq i8 %8, 1
  %17 = getelementptr inbounds i8, ptr %2, i64 56
  %18 = getelementptr inbounds i8, ptr %1, i64 32
  %19 = select i1 %16, ptr %17, ptr %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %6, i64 32
  store i64 %20, ptr %21, align 8
  %22 = and i1 %9, %13
  br i1 %22, label %27, label %23

23:
  %24 = icmp eq i8 %15, 0
  %25 = shl nsw i64 %20, 2
  %26 = select i1 %24, i64 4, i64 %25
  br label %43

27:
  %28 = load i64, ptr %17, align 8
  %29 = getelementptr inbounds i8, ptr %6, i64 56
  store i64 %28, ptr %29, align 8
  %30 = zext i8 %15 to i64
  br label %31

31:
  %32 = phi i64 [ 1, %27 ], [ %38, %31 ]
  %33 = phi i64 [ 1, %27 ], [ %37, %31 ]
  %34 = getelementptr inbounds %struct.dimension, ptr %6, i64 %32
  %35 = getelementptr inbounds i8, ptr %34, i64 32
  %36 = load i64, ptr %35, align 8
  %37 = mul nsw i64 %36, %33
  %38 = add nsw i64 %32, 1
  %39 = icmp eq i64 %38, %30
  br i1 %39, label %40, label %31

40:
  %41 = shl nsw i64 %20, 2
  %42 = mul nsw i64 %41, %37
  br label %43

43:
  %44 = phi i64 [ %42, %40 ], [ %26, %23 ]
  %45 = call i64 @llvm.umax.i64(i64 %44, i64 1)
  %46 = call ptr @malloc(i64 %45)
  store ptr %46, ptr %0, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 4, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %48, align 8
  %49 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %15, ptr %49, align 4
  %50 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 27, ptr %50, align 1
  %51 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %51, align 2
  %52 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %52, align 1
  %53 = icmp eq i8 %15, 0
  br i1 %53, label %69, label %54

54:
  %55 = zext i8 %15 to i64
  %56 = getelementptr inbounds i8, ptr %0, i64 24
  br label %57

57:
  %58 = phi i64 [ 0, %54 ], [ %67, %57 ]
  %59 = phi i64 [ 4, %54 ], [ %66, %57 ]
  %60 = getelementptr inbounds %struct.dimension, ptr %56, i64 %58
  %61 = getelementptr inbounds %struct.dimension, ptr %6, i64 %58
  %62 = getelementptr inbounds i8, ptr %61, i64 32
  %63 = load i64, ptr %62, align 8
  store i64 1, ptr %60, align 8
  %64 = getelementptr inbounds i8, ptr %60, i64 8
  store i64 %63, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %60, i64 16
  store i64 %59, ptr %65, align 8
  %66 = mul nsw i64 %63, %59
  %67 = add nsw i64 %58, 1
  %68 = icmp eq i64 %67, %55
  br i1 %68, label %69, label %57

69:
  call void @gradir.library.s_product(ptr %0, ptr %1, ptr %2, i32 0)
  ret void
}
define internal void @gradir.body._FortranAMatmulTransposeReal4Real4(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = alloca %struct.descriptor, align 8
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  %10 = zext i1 %9 to i8
  %11 = getelementptr inbounds i8, ptr %2, i64 20
  %12 = load i8, ptr %11, align 4
  %13 = icmp sgt i8 %12, 1
  %14 = zext i1 %13 to i8
  %15 = add nsw i8 %14, %10
  %16 = icmp eq i8 %8, 1
  %17 = getelementptr inbounds i8, ptr %2, i64 56
  %18 = getelementptr inbounds i8, ptr %1, i64 56
  %19 = select i1 %16, ptr %17, ptr %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %6, i64 32
  store i64 %20, ptr %21, align 8
  %22 = and i1 %9, %13
  br i1 %22, label %27, label %23

23:
  %24 = icmp eq i8 %15, 0
  %25 = shl nsw i64 %20, 2
  %26 = select i1 %24, i64 4, i64 %25
  br label %43

27:
  %28 = load i64, ptr %17, align 8
  %29 = getelementptr inbounds i8, ptr %6, i64 56
  store i64 %28, ptr %29, align 8
  %30 = zext i8 %15 to i64
  br label %31

31:
  %32 = phi i64 [ 1, %27 ], [ %38, %31 ]
  %33 = phi i64 [ 1, %27 ], [ %37, %31 ]
  %34 = getelementptr inbounds %struct.dimension, ptr %6, i64 %32
  %35 = getelementptr inbounds i8, ptr %34, i64 32
  %36 = load i64, ptr %35, align 8
  %37 = mul nsw i64 %36, %33
  %38 = add nsw i64 %32, 1
  %39 = icmp eq i64 %38, %30
  br i1 %39, label %40, label %31

40:
  %41 = shl nsw i64 %20, 2
  %42 = mul nsw i64 %41, %37
  br label %43

43:
  %44 = phi i64 [ %42, %40 ], [ %26, %23 ]
  %45 = call i64 @llvm.umax.i64(i64 %44, i64 1)
  %46 = call ptr @malloc(i64 %45)
  store ptr %46, ptr %0, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 4, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %48, align 8
  %49 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %15, ptr %49, align 4
  %50 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 27, ptr %50, align 1
  %51 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %51, align 2
  %52 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %52, align 1
  %53 = icmp eq i8 %15, 0
  br i1 %53, label %69, label %54

54:
  %55 = zext i8 %15 to i64
  %56 = getelementptr inbounds i8, ptr %0, i64 24
  br label %57

57:
  %58 = phi i64 [ 0, %54 ], [ %67, %57 ]
  %59 = phi i64 [ 4, %54 ], [ %66, %57 ]
  %60 = getelementptr inbounds %struct.dimension, ptr %56, i64 %58
  %61 = getelementptr inbounds %struct.dimension, ptr %6, i64 %58
  %62 = getelementptr inbounds i8, ptr %61, i64 32
  %63 = load i64, ptr %62, align 8
  store i64 1, ptr %60, align 8
  %64 = getelementptr inbounds i8, ptr %60, i64 8
  store i64 %63, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %60, i64 16
  store i64 %59, ptr %65, align 8
  %66 = mul nsw i64 %63, %59
  %67 = add nsw i64 %58, 1
  %68 = icmp eq i64 %67, %55
  br i1 %68, label %69, label %57

69:
  call void @gradir.library.s_product(ptr %0, ptr %1, ptr %2, i32 1)
  ret void
}
define internal void @gradir.body._FortranAMatmulDirectReal4Real4(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  call void @gradir.library.s_product(ptr %0, ptr %1, ptr %2, i32 0)
  ret void
}
define internal void @gradir.library.s_product(ptr %0, ptr %1, ptr %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %1, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp ne i8 %6, 1
  br i1 %7, label %8, label %28

8:
  %9 = icmp eq i32 %3, 0
  br i1 %9, label %23, label %10

10:
  %11 = icmp sgt i8 %6, 1
  br i1 %11, label %12, label %28

12:
  %13 = zext i8 %6 to i64
  br label %14

14:
  %15 = phi i64 [ 1, %12 ], [ %21, %14 ]
  %16 = phi i64 [ 1, %12 ], [ %20, %14 ]
  %17 = getelementptr inbounds %struct.dimension, ptr %1, i64 %15
  %18 = getelementptr inbounds i8, ptr %17, i64 32
  %19 = load i64, ptr %18, align 8
  %20 = mul nsw i64 %19, %16
  %21 = add nsw i64 %15, 1
  %22 = icmp eq i64 %21, %13
  br i1 %22, label %28, label %14

23:
  %24 = icmp eq i8 %6, 0
  br i1 %24, label %28, label %25

25:
  %26 = getelementptr inbounds i8, ptr %1, i64 32
  %27 = load i64, ptr %26, align 8
  br label %28

28:
  %29 = phi i64 [ 1, %4 ], [ 1, %23 ], [ 1, %10 ], [ %27, %25 ], [ %20, %14 ]
  %30 = getelementptr inbounds i8, ptr %2, i64 20
  %31 = load i8, ptr %30, align 4
  %32 = icmp eq i8 %31, 0
  br i1 %32, label %48, label %33

33:
  %34 = getelementptr inbounds i8, ptr %2, i64 32
  %35 = load i64, ptr %34, align 8
  %36 = icmp sgt i8 %31, 1
  br i1 %36, label %37, label %48

37:
  %38 = zext i8 %31 to i64
  br label %39

39:
  %40 = phi i64 [ 1, %37 ], [ %46, %39 ]
  %41 = phi i64 [ 1, %37 ], [ %45, %39 ]
  %42 = getelementptr inbounds %struct.dimension, ptr %2, i64 %40
  %43 = getelementptr inbounds i8, ptr %42, i64 32
  %44 = load i64, ptr %43, align 8
  %45 = mul nsw i64 %44, %41
  %46 = add nsw i64 %40, 1
  %47 = icmp eq i64 %46, %38
  br i1 %47, label %48, label %39

48:
  %49 = phi i64 [ %35, %33 ], [ 1, %28 ], [ %35, %39 ]
  %50 = phi i64 [ 1, %33 ], [ 1, %28 ], [ %45, %39 ]
  br i1 %7, label %51, label %61

51:
  %52 = zext i32 %3 to i64
  %53 = getelementptr inbounds %struct.dimension, ptr %1, i64 %52
  %54 = getelementptr inbounds i8, ptr %53, i64 40
  %55 = load i64, ptr %54, align 8
  %56 = xor i32 %3, 1
  %57 = zext i32 %56 to i64
  %58 = getelementptr inbounds %struct.dimension, ptr %1, i64 %57
  %59 = getelementptr inbounds i8, ptr %0, i64 40
  %60 = load i64, ptr %59, align 8
  br label %61

61:
  %62 = phi ptr [ %58, %51 ], [ %1, %48 ]
  %63 = phi i64 [ %55, %51 ], [ 0, %48 ]
  %64 = phi i64 [ %60, %51 ], [ 0, %48 ]
  %65 = getelementptr inbounds i8, ptr %62, i64 40
  %66 = load i64, ptr %65, align 8
  %67 = icmp eq i8 %31, 1
  br i1 %67, label %73, label %68

68:
  %69 = zext i1 %7 to i64
  %70 = getelementptr inbounds %struct.dimension, ptr %0, i64 %69
  %71 = getelementptr inbounds i8, ptr %70, i64 40
  %72 = load i64, ptr %71, align 8
  br label %73

73:
  %74 = phi i64 [ %72, %68 ], [ 0, %61 ]
  %75 = icmp sgt i64 %50, 0
  br i1 %75, label %76, label %86

76:
  %77 = load ptr, ptr %0, align 8
  %78 = icmp sgt i64 %29, 0
  %79 = icmp sgt i64 %49, 0
  %80 = icmp slt i8 %31, 3
  %81 = getelementptr inbounds i8, ptr %2, i64 24
  %82 = zext i8 %31 to i64
  %83 = icmp eq i8 %31, 2
  %84 = getelementptr inbounds i8, ptr %2, i64 64
  %85 = getelementptr inbounds i8, ptr %2, i64 40
  br label %87

86:
  ret void

87:
  %88 = phi i64 [ 0, %76 ], [ %103, %102 ]
  %89 = mul nsw i64 %88, %74
  %90 = getelementptr inbounds i8, ptr %77, i64 %89
  br i1 %78, label %96, label %91

91:
  br i1 %79, label %92, label %102

92:
  %93 = load ptr, ptr %2, align 8
  %94 = load i64, ptr %85, align 8
  %95 = load ptr, ptr %1, align 8
  br label %105

96:
  %97 = phi i64 [ %100, %96 ], [ 0, %87 ]
  %98 = mul nsw i64 %97, %64
  %99 = getelementptr inbounds i8, ptr %90, i64 %98
  store float 0.000000e+00, ptr %99, align 4
  %100 = add nsw i64 %97, 1
  %101 = icmp eq i64 %100, %29
  br i1 %101, label %91, label %96

102:
  %103 = add nsw i64 %88, 1
  %104 = icmp eq i64 %103, %50
  br i1 %104, label %86, label %87

105:
  %106 = phi i64 [ 0, %92 ], [ %135, %134 ]
  br i1 %80, label %107, label %111

107:
  br i1 %83, label %108, label %126

108:
  %109 = load i64, ptr %84, align 8
  %110 = mul nsw i64 %109, %88
  br label %126

111:
  %112 = phi i64 [ %124, %111 ], [ 1, %105 ]
  %113 = phi i64 [ %122, %111 ], [ 0, %105 ]
  %114 = phi i64 [ %123, %111 ], [ %88, %105 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %81, i64 %112
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = srem i64 %114, %117
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %120, %118
  %122 = add nsw i64 %121, %113
  %123 = sdiv i64 %114, %117
  %124 = add nsw i64 %112, 1
  %125 = icmp eq i64 %124, %82
  br i1 %125, label %126, label %111

126:
  %127 = phi i64 [ 0, %107 ], [ %110, %108 ], [ %122, %111 ]
  %128 = getelementptr inbounds i8, ptr %93, i64 %127
  %129 = mul nsw i64 %94, %106
  %130 = getelementptr inbounds i8, ptr %128, i64 %129
  %131 = load float, ptr %130, align 4
  %132 = mul nsw i64 %106, %66
  %133 = getelementptr inbounds i8, ptr %95, i64 %132
  br i1 %78, label %137, label %134

134:
  %135 = add nsw i64 %106, 1
  %136 = icmp eq i64 %135, %49
  br i1 %136, label %102, label %105

137:
  %138 = phi i64 [ %147, %137 ], [ 0, %126 ]
  %139 = mul nsw i64 %138, %63
  %140 = getelementptr inbounds i8, ptr %133, i64 %139
  %141 = load float, ptr %140, align 4
  %142 = fmul float %131, %141
  %143 = mul nsw i64 %138, %64
  %144 = getelementptr inbounds i8, ptr %90, i64 %143
  %145 = load float, ptr %144, align 4
  %146 = fadd float %145, %142
  store float %146, ptr %144, align 4
  %147 = add nsw i64 %138, 1
  %148 = icmp eq i64 %147, %29
  br i1 %148, label %134, label %137
}
define internal void @gradir.body._FortranAMatmulTransposeDirectReal4Real4(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  call void @gradir.library.s_product(ptr %0, ptr %1, ptr %2, i32 1)
  ret void
}
define internal void @gradir.body._FortranACppSumComplex4(ptr %0, ptr %1, ptr %2, i32 %3, i32 %4, ptr %5) {
6:
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  br i1 %9, label %10, label %21

10:
  %11 = zext i8 %8 to i64
  br label %12

12:
  %13 = phi i64 [ 1, %10 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %10 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %1, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %26, label %12

21:
  %22 = icmp eq i8 %8, 0
  br i1 %22, label %30, label %23

23:
  %24 = getelementptr inbounds i8, ptr %1, i64 32
  %25 = load i64, ptr %24, align 8
  br label %30

26:
  %27 = getelementptr inbounds i8, ptr %1, i64 32
  %28 = load i64, ptr %27, align 8
  %29 = icmp sgt i64 %18, 0
  br i1 %29, label %30, label %50

30:
  %31 = phi i64 [ %25, %23 ], [ %28, %26 ], [ 1, %21 ]
  %32 = phi i64 [ 1, %23 ], [ %18, %26 ], [ 1, %21 ]
  %33 = icmp sgt i64 %31, 0
  %34 = icmp eq ptr %5, null
  %35 = getelementptr inbounds i8, ptr %5, i64 20
  %36 = getelementptr inbounds i8, ptr %5, i64 24
  %37 = getelementptr inbounds i8, ptr %5, i64 64
  %38 = getelementptr inbounds i8, ptr %5, i64 40
  %39 = getelementptr inbounds i8, ptr %5, i64 8
  %40 = icmp slt i8 %8, 3
  %41 = getelementptr inbounds i8, ptr %1, i64 24
  %42 = zext i8 %8 to i64
  %43 = getelementptr inbounds i8, ptr %1, i64 40
  %44 = icmp eq i8 %8, 2
  %45 = getelementptr inbounds i8, ptr %1, i64 64
  br label %46

46:
  %47 = phi float [ 0.000000e+00, %30 ], [ %56, %54 ]
  %48 = phi float [ 0.000000e+00, %30 ], [ %55, %54 ]
  %49 = phi i64 [ 0, %30 ], [ %57, %54 ]
  br i1 %33, label %59, label %54

50:
  %51 = phi float [ 0.000000e+00, %26 ], [ %55, %54 ]
  %52 = phi float [ 0.000000e+00, %26 ], [ %56, %54 ]
  store float %52, ptr %0, align 4
  %53 = getelementptr inbounds i8, ptr %0, i64 4
  store float %51, ptr %53, align 4
  ret void

54:
  %55 = phi float [ %48, %46 ], [ %172, %171 ]
  %56 = phi float [ %47, %46 ], [ %173, %171 ]
  %57 = add nsw i64 %49, 1
  %58 = icmp eq i64 %57, %32
  br i1 %58, label %50, label %46

59:
  %60 = phi i64 [ %174, %171 ], [ 0, %46 ]
  %61 = phi float [ %173, %171 ], [ %47, %46 ]
  %62 = phi float [ %172, %171 ], [ %48, %46 ]
  br i1 %34, label %111, label %63

63:
  %64 = load ptr, ptr %5, align 8
  %65 = icmp eq ptr %64, null
  br i1 %65, label %111, label %66

66:
  %67 = load i8, ptr %35, align 4
  %68 = icmp eq i8 %67, 0
  br i1 %68, label %99, label %69

69:
  %70 = icmp slt i8 %67, 3
  br i1 %70, label %73, label %71

71:
  %72 = zext i8 %67 to i64
  br label %78

73:
  %74 = icmp eq i8 %67, 2
  br i1 %74, label %75, label %93

75:
  %76 = load i64, ptr %37, align 8
  %77 = mul nsw i64 %76, %49
  br label %93

78:
  %79 = phi i64 [ 1, %71 ], [ %91, %78 ]
  %80 = phi i64 [ 0, %71 ], [ %89, %78 ]
  %81 = phi i64 [ %49, %71 ], [ %90, %78 ]
  %82 = getelementptr inbounds %struct.dimension, ptr %36, i64 %79
  %83 = getelementptr inbounds i8, ptr %82, i64 8
  %84 = load i64, ptr %83, align 8
  %85 = srem i64 %81, %84
  %86 = getelementptr inbounds i8, ptr %82, i64 16
  %87 = load i64, ptr %86, align 8
  %88 = mul nsw i64 %87, %85
  %89 = add nsw i64 %88, %80
  %90 = sdiv i64 %81, %84
  %91 = add nsw i64 %79, 1
  %92 = icmp eq i64 %91, %72
  br i1 %92, label %93, label %78

93:
  %94 = phi i64 [ 0, %73 ], [ %77, %75 ], [ %89, %78 ]
  %95 = load i64, ptr %38, align 8
  %96 = mul nsw i64 %95, %60
  %97 = getelementptr i8, ptr %64, i64 %94
  %98 = getelementptr i8, ptr %97, i64 %96
  br label %99

99:
  %100 = phi ptr [ %98, %93 ], [ %64, %66 ]
  %101 = load i64, ptr %39, align 8
  switch i64 %101, label %105 [    i64 8, label %102    i64 4, label %108  ]

102:
  %103 = load i64, ptr %100, align 8
  %104 = icmp eq i64 %103, 0
  br i1 %104, label %171, label %111

105:
  %106 = load i8, ptr %100, align 1
  %107 = icmp eq i8 %106, 0
  br i1 %107, label %171, label %111

108:
  %109 = load i32, ptr %100, align 4
  %110 = icmp eq i32 %109, 0
  br i1 %110, label %171, label %111

111:
  %112 = load ptr, ptr %1, align 8
  br i1 %40, label %113, label %114

113:
  br i1 %44, label %135, label %154

114:
  %115 = phi i64 [ %127, %114 ], [ 1, %111 ]
  %116 = phi i64 [ %125, %114 ], [ 0, %111 ]
  %117 = phi i64 [ %126, %114 ], [ %49, %111 ]
  %118 = getelementptr inbounds %struct.dimension, ptr %41, i64 %115
  %119 = getelementptr inbounds i8, ptr %118, i64 8
  %120 = load i64, ptr %119, align 8
  %121 = srem i64 %117, %120
  %122 = getelementptr inbounds i8, ptr %118, i64 16
  %123 = load i64, ptr %122, align 8
  %124 = mul nsw i64 %123, %121
  %125 = add nsw i64 %124, %116
  %126 = sdiv i64 %117, %120
  %127 = add nsw i64 %115, 1
  %128 = icmp eq i64 %127, %42
  br i1 %128, label %129, label %114

129:
  %130 = getelementptr inbounds i8, ptr %112, i64 %125
  %131 = load i64, ptr %43, align 8
  %132 = mul nsw i64 %131, %60
  %133 = getelementptr inbounds i8, ptr %130, i64 %132
  %134 = load float, ptr %133, align 4
  br label %139

135:
  %136 = load i64, ptr %45, align 8
  %137 = mul nsw i64 %136, %49
  %138 = getelementptr inbounds i8, ptr %112, i64 %137
  br label %154

139:
  %140 = phi i64 [ 1, %129 ], [ %152, %139 ]
  %141 = phi i64 [ 0, %129 ], [ %150, %139 ]
  %142 = phi i64 [ %49, %129 ], [ %151, %139 ]
  %143 = getelementptr inbounds %struct.dimension, ptr %41, i64 %140
  %144 = getelementptr inbounds i8, ptr %143, i64 8
  %145 = load i64, ptr %144, align 8
  %146 = srem i64 %142, %145
  %147 = getelementptr inbounds i8, ptr %143, i64 16
  %148 = load i64, ptr %147, align 8
  %149 = mul nsw i64 %148, %146
  %150 = add nsw i64 %149, %141
  %151 = sdiv i64 %142, %145
  %152 = add nsw i64 %140, 1
  %153 = icmp eq i64 %152, %42
  br i1 %153, label %161, label %139

154:
  %155 = phi ptr [ %138, %135 ], [ %112, %113 ]
  %156 = phi i64 [ %137, %135 ], [ 0, %113 ]
  %157 = load i64, ptr %43, align 8
  %158 = mul nsw i64 %157, %60
  %159 = getelementptr inbounds i8, ptr %155, i64 %158
  %160 = load float, ptr %159, align 4
  br label %161

161:
  %162 = phi float [ %160, %154 ], [ %134, %139 ]
  %163 = phi i64 [ %158, %154 ], [ %132, %139 ]
  %164 = phi i64 [ %156, %154 ], [ %150, %139 ]
  %165 = fadd float %61, %162
  %166 = getelementptr inbounds i8, ptr %112, i64 %164
  %167 = getelementptr inbounds i8, ptr %166, i64 %163
  %168 = getelementptr inbounds i8, ptr %167, i64 4
  %169 = load float, ptr %168, align 4
  %170 = fadd float %62, %169
  br label %171

171:
  %172 = phi float [ %170, %161 ], [ %62, %108 ], [ %62, %102 ], [ %62, %105 ]
  %173 = phi float [ %165, %161 ], [ %61, %108 ], [ %61, %102 ], [ %61, %105 ]
  %174 = add nsw i64 %60, 1
  %175 = icmp eq i64 %174, %31
  br i1 %175, label %54, label %59
}
define internal void @gradir.body._FortranACppProductComplex4(ptr %0, ptr %1, ptr %2, i32 %3, i32 %4, ptr %5) {
6:
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  br i1 %9, label %10, label %21

10:
  %11 = zext i8 %8 to i64
  br label %12

12:
  %13 = phi i64 [ 1, %10 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %10 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %1, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %26, label %12

21:
  %22 = icmp eq i8 %8, 0
  br i1 %22, label %30, label %23

23:
  %24 = getelementptr inbounds i8, ptr %1, i64 32
  %25 = load i64, ptr %24, align 8
  br label %30

26:
  %27 = getelementptr inbounds i8, ptr %1, i64 32
  %28 = load i64, ptr %27, align 8
  %29 = icmp sgt i64 %18, 0
  br i1 %29, label %30, label %50

30:
  %31 = phi i64 [ %25, %23 ], [ %28, %26 ], [ 1, %21 ]
  %32 = phi i64 [ 1, %23 ], [ %18, %26 ], [ 1, %21 ]
  %33 = icmp sgt i64 %31, 0
  %34 = icmp eq ptr %5, null
  %35 = getelementptr inbounds i8, ptr %5, i64 20
  %36 = getelementptr inbounds i8, ptr %5, i64 24
  %37 = getelementptr inbounds i8, ptr %5, i64 64
  %38 = getelementptr inbounds i8, ptr %5, i64 40
  %39 = getelementptr inbounds i8, ptr %5, i64 8
  %40 = icmp slt i8 %8, 3
  %41 = getelementptr inbounds i8, ptr %1, i64 24
  %42 = zext i8 %8 to i64
  %43 = getelementptr inbounds i8, ptr %1, i64 40
  %44 = icmp eq i8 %8, 2
  %45 = getelementptr inbounds i8, ptr %1, i64 64
  br label %46

46:
  %47 = phi float [ 1.000000e+00, %30 ], [ %56, %54 ]
  %48 = phi float [ 0.000000e+00, %30 ], [ %55, %54 ]
  %49 = phi i64 [ 0, %30 ], [ %57, %54 ]
  br i1 %33, label %59, label %54

50:
  %51 = phi float [ 0.000000e+00, %26 ], [ %55, %54 ]
  %52 = phi float [ 1.000000e+00, %26 ], [ %56, %54 ]
  store float %52, ptr %0, align 4
  %53 = getelementptr inbounds i8, ptr %0, i64 4
  store float %51, ptr %53, align 4
  ret void

54:
  %55 = phi float [ %48, %46 ], [ %176, %175 ]
  %56 = phi float [ %47, %46 ], [ %177, %175 ]
  %57 = add nsw i64 %49, 1
  %58 = icmp eq i64 %57, %32
  br i1 %58, label %50, label %46

59:
  %60 = phi float [ %177, %175 ], [ %47, %46 ]
  %61 = phi float [ %176, %175 ], [ %48, %46 ]
  %62 = phi i64 [ %178, %175 ], [ 0, %46 ]
  br i1 %34, label %111, label %63

63:
  %64 = load ptr, ptr %5, align 8
  %65 = icmp eq ptr %64, null
  br i1 %65, label %111, label %66

66:
  %67 = load i8, ptr %35, align 4
  %68 = icmp eq i8 %67, 0
  br i1 %68, label %99, label %69

69:
  %70 = icmp slt i8 %67, 3
  br i1 %70, label %73, label %71

71:
  %72 = zext i8 %67 to i64
  br label %78

73:
  %74 = icmp eq i8 %67, 2
  br i1 %74, label %75, label %93

75:
  %76 = load i64, ptr %37, align 8
  %77 = mul nsw i64 %76, %49
  br label %93

78:
  %79 = phi i64 [ 1, %71 ], [ %91, %78 ]
  %80 = phi i64 [ 0, %71 ], [ %89, %78 ]
  %81 = phi i64 [ %49, %71 ], [ %90, %78 ]
  %82 = getelementptr inbounds %struct.dimension, ptr %36, i64 %79
  %83 = getelementptr inbounds i8, ptr %82, i64 8
  %84 = load i64, ptr %83, align 8
  %85 = srem i64 %81, %84
  %86 = getelementptr inbounds i8, ptr %82, i64 16
  %87 = load i64, ptr %86, align 8
  %88 = mul nsw i64 %87, %85
  %89 = add nsw i64 %88, %80
  %90 = sdiv i64 %81, %84
  %91 = add nsw i64 %79, 1
  %92 = icmp eq i64 %91, %72
  br i1 %92, label %93, label %78

93:
  %94 = phi i64 [ 0, %73 ], [ %77, %75 ], [ %89, %78 ]
  %95 = load i64, ptr %38, align 8
  %96 = mul nsw i64 %95, %62
  %97 = getelementptr i8, ptr %64, i64 %94
  %98 = getelementptr i8, ptr %97, i64 %96
  br label %99

99:
  %100 = phi ptr [ %98, %93 ], [ %64, %66 ]
  %101 = load i64, ptr %39, align 8
  switch i64 %101, label %105 [    i64 8, label %102    i64 4, label %108  ]

102:
  %103 = load i64, ptr %100, align 8
  %104 = icmp eq i64 %103, 0
  br i1 %104, label %175, label %111

105:
  %106 = load i8, ptr %100, align 1
  %107 = icmp eq i8 %106, 0
  br i1 %107, label %175, label %111

108:
  %109 = load i32, ptr %100, align 4
  %110 = icmp eq i32 %109, 0
  br i1 %110, label %175, label %111

111:
  %112 = load ptr, ptr %1, align 8
  br i1 %40, label %113, label %114

113:
  br i1 %44, label %135, label %154

114:
  %115 = phi i64 [ %127, %114 ], [ 1, %111 ]
  %116 = phi i64 [ %125, %114 ], [ 0, %111 ]
  %117 = phi i64 [ %126, %114 ], [ %49, %111 ]
  %118 = getelementptr inbounds %struct.dimension, ptr %41, i64 %115
  %119 = getelementptr inbounds i8, ptr %118, i64 8
  %120 = load i64, ptr %119, align 8
  %121 = srem i64 %117, %120
  %122 = getelementptr inbounds i8, ptr %118, i64 16
  %123 = load i64, ptr %122, align 8
  %124 = mul nsw i64 %123, %121
  %125 = add nsw i64 %124, %116
  %126 = sdiv i64 %117, %120
  %127 = add nsw i64 %115, 1
  %128 = icmp eq i64 %127, %42
  br i1 %128, label %129, label %114

129:
  %130 = getelementptr inbounds i8, ptr %112, i64 %125
  %131 = load i64, ptr %43, align 8
  %132 = mul nsw i64 %131, %62
  %133 = getelementptr inbounds i8, ptr %130, i64 %132
  %134 = load float, ptr %133, align 4
  br label %139

135:
  %136 = load i64, ptr %45, align 8
  %137 = mul nsw i64 %136, %49
  %138 = getelementptr inbounds i8, ptr %112, i64 %137
  br label %154

139:
  %140 = phi i64 [ 1, %129 ], [ %152, %139 ]
  %141 = phi i64 [ 0, %129 ], [ %150, %139 ]
  %142 = phi i64 [ %49, %129 ], [ %151, %139 ]
  %143 = getelementptr inbounds %struct.dimension, ptr %41, i64 %140
  %144 = getelementptr inbounds i8, ptr %143, i64 8
  %145 = load i64, ptr %144, align 8
  %146 = srem i64 %142, %145
  %147 = getelementptr inbounds i8, ptr %143, i64 16
  %148 = load i64, ptr %147, align 8
  %149 = mul nsw i64 %148, %146
  %150 = add nsw i64 %149, %141
  %151 = sdiv i64 %142, %145
  %152 = add nsw i64 %140, 1
  %153 = icmp eq i64 %152, %42
  br i1 %153, label %161, label %139

154:
  %155 = phi ptr [ %138, %135 ], [ %112, %113 ]
  %156 = phi i64 [ %137, %135 ], [ 0, %113 ]
  %157 = load i64, ptr %43, align 8
  %158 = mul nsw i64 %157, %62
  %159 = getelementptr inbounds i8, ptr %155, i64 %158
  %160 = load float, ptr %159, align 4
  br label %161

161:
  %162 = phi float [ %160, %154 ], [ %134, %139 ]
  %163 = phi i64 [ %158, %154 ], [ %132, %139 ]
  %164 = phi i64 [ %156, %154 ], [ %150, %139 ]
  %165 = getelementptr inbounds i8, ptr %112, i64 %164
  %166 = getelementptr inbounds i8, ptr %165, i64 %163
  %167 = getelementptr inbounds i8, ptr %166, i64 4
  %168 = load float, ptr %167, align 4
  %169 = fmul float %60, %162
  %170 = fmul float %61, %168
  %171 = fsub float %169, %170
  %172 = fmul float %60, %168
  %173 = fmul float %61, %162
  %174 = fadd float %173, %172
  br label %175

175:
  %176 = phi float [ %174, %161 ], [ %61, %108 ], [ %61, %102 ], [ %61, %105 ]
  %177 = phi float [ %171, %161 ], [ %60, %108 ], [ %60, %102 ], [ %60, %105 ]
  %178 = add nsw i64 %62, 1
  %179 = icmp eq i64 %178, %31
  br i1 %179, label %54, label %59
}
define internal void @gradir.body._FortranACppDotProductComplex4(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = getelementptr inbounds i8, ptr %1, i64 32
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp eq i8 %8, 0
  %10 = getelementptr inbounds i8, ptr %1, i64 40
  %11 = getelementptr inbounds i8, ptr %2, i64 40
  br label %12

12:
  %13 = phi i64 [ 0, %5 ], [ %46, %23 ]
  %14 = phi float [ 0.000000e+00, %5 ], [ %45, %23 ]
  %15 = phi float [ 0.000000e+00, %5 ], [ %41, %23 ]
  br i1 %9, label %19, label %16

16:
  %17 = load i64, ptr %6, align 8
  %18 = icmp slt i64 %13, %17
  br i1 %18, label %23, label %21

19:
  %20 = icmp eq i64 %13, 0
  br i1 %20, label %23, label %21

21:
  store float %15, ptr %0, align 4
  %22 = getelementptr inbounds i8, ptr %0, i64 4
  store float %14, ptr %22, align 4
  ret void

23:
  %24 = load ptr, ptr %1, align 8
  %25 = load i64, ptr %10, align 8
  %26 = mul nsw i64 %25, %13
  %27 = getelementptr inbounds i8, ptr %24, i64 %26
  %28 = load ptr, ptr %2, align 8
  %29 = load i64, ptr %11, align 8
  %30 = mul nsw i64 %29, %13
  %31 = getelementptr inbounds i8, ptr %28, i64 %30
  %32 = load float, ptr %27, align 4
  %33 = load float, ptr %31, align 4
  %34 = fmul float %32, %33
  %35 = getelementptr inbounds i8, ptr %27, i64 4
  %36 = load float, ptr %35, align 4
  %37 = getelementptr inbounds i8, ptr %31, i64 4
  %38 = load float, ptr %37, align 4
  %39 = fmul float %36, %38
  %40 = fadd float %34, %39
  %41 = fadd float %15, %40
  %42 = fmul float %32, %38
  %43 = fmul float %33, %36
  %44 = fsub float %42, %43
  %45 = fadd float %14, %44
  %46 = add nsw i64 %13, 1
  br label %12
}
define internal void @gradir.body._FortranAMatmulComplex4Complex4(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = alloca %struct.descriptor, align 8
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp sgt i8 %8, 1
  %10 = zext i1 %9 to i8
  %11 = getelementptr inbounds i8, ptr %2, i64 20
  %12 = load i8, ptr %11, align 4
  %13 = icmp sgt i8 %12, 1
  %14 = zext i1 %13 to i8
  %15 = add nsw i8 %14, %10
  %16 = icmp eq i8 %8, 1
  %17 = getelementptr inbounds i8, ptr %2, i64 56
  %18 = getelementptr inbounds i8, ptr %1, i64 32
  %19 = select i1 %16, ptr %17, ptr %18
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %6, i64 32
  store i64 %20, ptr %21, align 8
  %22 = and i1 %9, %13
  br i1 %22, label %27, label %23

23:
  %24 = icmp eq i8 %15, 0
  %25 = shl nsw i64 %20, 3
  %26 = select i1 %24, i64 8, i64 %25
  br label %43

27:
  %28 = load i64, ptr %17, align 8
  %29 = getelementptr inbounds i8, ptr %6, i64 56
  store i64 %28, ptr %29, align 8
  %30 = zext i8 %15 to i64
  br label %31

31:
  %32 = phi i64 [ 1, %27 ], [ %38, %31 ]
  %33 = phi i64 [ 1, %27 ], [ %37, %31 ]
  %34 = getelementptr inbounds %struct.dimension, ptr %6, i64 %32
  %35 = getelementptr inbounds i8, ptr %34, i64 32
  %36 = load i64, ptr %35, align 8
  %37 = mul nsw i64 %36, %33
  %38 = add nsw i64 %32, 1
  %39 = icmp eq i64 %38, %30
  br i1 %39, label %40, label %31

40:
  %41 = shl nsw i64 %20, 3
  %42 = mul nsw i64 %41, %37
  br label %43

43:
  %44 = phi i64 [ %42, %40 ], [ %26, %23 ]
  %45 = call i64 @llvm.umax.i64(i64 %44, i64 1)
  %46 = call ptr @malloc(i64 %45)
  store ptr %46, ptr %0, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 8, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %48, align 8
  %49 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %15, ptr %49, align 4
  %50 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 34, ptr %50, align 1
  %51 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %51, align 2
  %52 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %52, align 1
  %53 = icmp eq i8 %15, 0
  br i1 %53, label %69, label %54

54:
  %55 = zext i8 %15 to i64
  %56 = getelementptr inbounds i8, ptr %0, i64 24
  br label %57

57:
  %58 = phi i64 [ 0, %54 ], [ %67, %57 ]
  %59 = phi i64 [ 8, %54 ], [ %66, %57 ]
  %60 = getelementptr inbounds %struct.dimension, ptr %56, i64 %58
  %61 = getelementptr inbounds %struct.dimension, ptr %6, i64 %58
  %62 = getelementptr inbounds i8, ptr %61, i64 32
  %63 = load i64, ptr %62, align 8
  store i64 1, ptr %60, align 8
  %64 = getelementptr inbounds i8, ptr %60, i64 8
  store i64 %63, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %60, i64 16
  store i64 %59, ptr %65, align 8
  %66 = mul nsw i64 %63, %59
  %67 = add nsw i64 %58, 1
  %68 = icmp eq i64 %67, %55
  br i1 %68, label %69, label %57

69:
  call void @gradir.library.s_complex_product(ptr %0, ptr %1, ptr %2)
  ret void
}
define internal void @gradir.library.s_complex_product(ptr %0, ptr %1, ptr %2) {
3:
  %4 = getelementptr inbounds i8, ptr %1, i64 20
  %5 = load i8, ptr %4, align 4
  %6 = icmp eq i8 %5, 1
  %7 = icmp ult i8 %5, 2
  br i1 %7, label %11, label %8

8:
  %9 = getelementptr inbounds i8, ptr %1, i64 32
  %10 = load i64, ptr %9, align 8
  br label %11

11:
  %12 = phi i64 [ 1, %3 ], [ %10, %8 ]
  %13 = getelementptr inbounds i8, ptr %2, i64 20
  %14 = load i8, ptr %13, align 4
  %15 = icmp eq i8 %14, 0
  br i1 %15, label %31, label %16

16:
  %17 = getelementptr inbounds i8, ptr %2, i64 32
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i8 %14, 1
  br i1 %19, label %20, label %31

20:
  %21 = zext i8 %14 to i64
  br label %22

22:
  %23 = phi i64 [ 1, %20 ], [ %29, %22 ]
  %24 = phi i64 [ 1, %20 ], [ %28, %22 ]
  %25 = getelementptr inbounds %struct.dimension, ptr %2, i64 %23
  %26 = getelementptr inbounds i8, ptr %25, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = mul nsw i64 %27, %24
  %29 = add nsw i64 %23, 1
  %30 = icmp eq i64 %29, %21
  br i1 %30, label %31, label %22

31:
  %32 = phi i64 [ %18, %16 ], [ 1, %11 ], [ %18, %22 ]
  %33 = phi i64 [ 1, %16 ], [ 1, %11 ], [ %28, %22 ]
  %34 = getelementptr inbounds i8, ptr %1, i64 40
  br i1 %6, label %40, label %35

35:
  %36 = load i64, ptr %34, align 8
  %37 = getelementptr inbounds i8, ptr %1, i64 64
  %38 = getelementptr inbounds i8, ptr %0, i64 40
  %39 = load i64, ptr %38, align 8
  br label %40

40:
  %41 = phi ptr [ %37, %35 ], [ %34, %31 ]
  %42 = phi i64 [ 1, %35 ], [ 0, %31 ]
  %43 = phi i64 [ %36, %35 ], [ 0, %31 ]
  %44 = phi i64 [ %39, %35 ], [ 0, %31 ]
  %45 = load i64, ptr %41, align 8
  %46 = icmp eq i8 %14, 1
  br i1 %46, label %51, label %47

47:
  %48 = getelementptr inbounds %struct.dimension, ptr %0, i64 %42
  %49 = getelementptr inbounds i8, ptr %48, i64 40
  %50 = load i64, ptr %49, align 8
  br label %51

51:
  %52 = phi i64 [ %50, %47 ], [ 0, %40 ]
  %53 = icmp sgt i64 %33, 0
  br i1 %53, label %54, label %69

54:
  %55 = icmp sgt i64 %12, 0
  %56 = icmp sgt i64 %32, 0
  %57 = icmp slt i8 %14, 3
  %58 = getelementptr inbounds i8, ptr %2, i64 24
  %59 = zext i8 %14 to i64
  %60 = icmp eq i8 %14, 2
  %61 = getelementptr inbounds i8, ptr %2, i64 64
  %62 = getelementptr inbounds i8, ptr %2, i64 40
  br label %63

63:
  %64 = phi i64 [ 0, %54 ], [ %79, %78 ]
  br i1 %55, label %65, label %78

65:
  %66 = load ptr, ptr %0, align 8
  %67 = mul nsw i64 %64, %52
  %68 = getelementptr inbounds i8, ptr %66, i64 %67
  br label %70

69:
  ret void

70:
  %71 = phi i64 [ 0, %65 ], [ %87, %81 ]
  br i1 %56, label %72, label %81

72:
  %73 = load ptr, ptr %1, align 8
  %74 = mul nsw i64 %71, %43
  %75 = getelementptr i8, ptr %73, i64 %74
  %76 = load ptr, ptr %2, align 8
  %77 = load i64, ptr %62, align 8
  br label %89

78:
  %79 = add nsw i64 %64, 1
  %80 = icmp eq i64 %79, %33
  br i1 %80, label %69, label %63

81:
  %82 = phi float [ 0.000000e+00, %70 ], [ %128, %114 ]
  %83 = phi float [ 0.000000e+00, %70 ], [ %132, %114 ]
  %84 = mul nsw i64 %71, %44
  %85 = getelementptr inbounds i8, ptr %68, i64 %84
  store float %82, ptr %85, align 4
  %86 = getelementptr inbounds i8, ptr %85, i64 4
  store float %83, ptr %86, align 4
  %87 = add nsw i64 %71, 1
  %88 = icmp eq i64 %87, %12
  br i1 %88, label %78, label %70

89:
  %90 = phi i64 [ 0, %72 ], [ %133, %114 ]
  %91 = phi float [ 0.000000e+00, %72 ], [ %132, %114 ]
  %92 = phi float [ 0.000000e+00, %72 ], [ %128, %114 ]
  %93 = mul nsw i64 %90, %45
  %94 = getelementptr i8, ptr %75, i64 %93
  br i1 %57, label %95, label %99

95:
  br i1 %60, label %96, label %114

96:
  %97 = load i64, ptr %61, align 8
  %98 = mul nsw i64 %97, %64
  br label %114

99:
  %100 = phi i64 [ %112, %99 ], [ 1, %89 ]
  %101 = phi i64 [ %110, %99 ], [ 0, %89 ]
  %102 = phi i64 [ %111, %99 ], [ %64, %89 ]
  %103 = getelementptr inbounds %struct.dimension, ptr %58, i64 %100
  %104 = getelementptr inbounds i8, ptr %103, i64 8
  %105 = load i64, ptr %104, align 8
  %106 = srem i64 %102, %105
  %107 = getelementptr inbounds i8, ptr %103, i64 16
  %108 = load i64, ptr %107, align 8
  %109 = mul nsw i64 %108, %106
  %110 = add nsw i64 %109, %101
  %111 = sdiv i64 %102, %105
  %112 = add nsw i64 %100, 1
  %113 = icmp eq i64 %112, %59
  br i1 %113, label %114, label %99

114:
  %115 = phi i64 [ 0, %95 ], [ %98, %96 ], [ %110, %99 ]
  %116 = getelementptr inbounds i8, ptr %76, i64 %115
  %117 = mul nsw i64 %77, %90
  %118 = getelementptr inbounds i8, ptr %116, i64 %117
  %119 = load float, ptr %94, align 4
  %120 = load float, ptr %118, align 4
  %121 = fmul float %119, %120
  %122 = getelementptr inbounds i8, ptr %94, i64 4
  %123 = load float, ptr %122, align 4
  %124 = getelementptr inbounds i8, ptr %118, i64 4
  %125 = load float, ptr %124, align 4
  %126 = fmul float %123, %125
  %127 = fsub float %121, %126
  %128 = fadd float %92, %127
  %129 = fmul float %119, %125
  %130 = fmul float %120, %123
  %131 = fadd float %130, %129
  %132 = fadd float %91, %131
  %133 = add nsw i64 %90, 1
  %134 = icmp eq i64 %133, %32
  br i1 %134, label %81, label %89
}
define internal void @gradir.body._FortranAMatmulDirectComplex4Complex4(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  call void @gradir.library.s_complex_product(ptr %0, ptr %1, ptr %2)
  ret void
}
define internal void @gradir.body._FortranAInitialize(ptr %0, ptr %1, i32 %2) {
3:
  %4 = getelementptr inbounds i8, ptr %0, i64 21
  %5 = load i8, ptr %4, align 1
  %6 = icmp eq i8 %5, 42
  br i1 %6, label %7, label %12

7:
  %8 = getelementptr inbounds i8, ptr %0, i64 23
  %9 = load i8, ptr %8, align 1
  %10 = icmp eq i8 %9, 0
  br i1 %10, label %12, label %11

11:
  call void @gradir.library.fortran_initialized(ptr %0)
  br label %12

12:
  ret void
}
define internal void @gradir.library.fortran_initialized(ptr %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 20
  %3 = load i8, ptr %2, align 4
  %4 = icmp eq i8 %3, 0
  br i1 %4, label %25, label %5

5:
  %6 = getelementptr inbounds i8, ptr %0, i64 32
  %7 = load i64, ptr %6, align 8
  %8 = icmp sgt i8 %3, 1
  br i1 %8, label %9, label %22

9:
  %10 = zext i8 %3 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %20, label %11

20:
  %21 = mul nsw i64 %17, %7
  br label %22

22:
  %23 = phi i64 [ %7, %5 ], [ %21, %20 ]
  %24 = icmp sgt i64 %23, 0
  br i1 %24, label %25, label %28

25:
  %26 = phi i64 [ %23, %22 ], [ 1, %1 ]
  %27 = getelementptr inbounds i8, ptr %0, i64 24
  br label %29

28:
  ret void

29:
  %30 = phi i64 [ 0, %25 ], [ %36, %29 ]
  %31 = call ptr @gradir.library.fortran_nth(ptr %0, i64 %30)
  %32 = load i8, ptr %2, align 4
  %33 = sext i8 %32 to i64
  %34 = getelementptr inbounds %struct.dimension, ptr %27, i64 %33
  %35 = load ptr, ptr %34, align 8
  call void @gradir.objects.initialize(ptr %31, ptr %35)
  %36 = add nsw i64 %30, 1
  %37 = icmp eq i64 %36, %26
  br i1 %37, label %28, label %29
}
define internal void @gradir.body._FortranADestroy(ptr %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 21
  %3 = load i8, ptr %2, align 1
  %4 = icmp eq i8 %3, 42
  br i1 %4, label %5, label %10

5:
  %6 = getelementptr inbounds i8, ptr %0, i64 23
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 0
  br i1 %8, label %10, label %9

9:
  call void @gradir.library.fortran_destroyed(ptr %0)
  br label %10

10:
  ret void
}
define internal void @gradir.library.fortran_destroyed(ptr %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 20
  %3 = load i8, ptr %2, align 4
  %4 = icmp eq i8 %3, 0
  br i1 %4, label %25, label %5

5:
  %6 = getelementptr inbounds i8, ptr %0, i64 32
  %7 = load i64, ptr %6, align 8
  %8 = icmp sgt i8 %3, 1
  br i1 %8, label %9, label %22

9:
  %10 = zext i8 %3 to i64
  br label %11

11:
  %12 = phi i64 [ 1, %9 ], [ %18, %11 ]
  %13 = phi i64 [ 1, %9 ], [ %17, %11 ]
  %14 = getelementptr inbounds %struct.dimension, ptr %0, i64 %12
  %15 = getelementptr inbounds i8, ptr %14, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = mul nsw i64 %16, %13
  %18 = add nsw i64 %12, 1
  %19 = icmp eq i64 %18, %10
  br i1 %19, label %20, label %11

20:
  %21 = mul nsw i64 %17, %7
  br label %22

22:
  %23 = phi i64 [ %7, %5 ], [ %21, %20 ]
  %24 = icmp sgt i64 %23, 0
  br i1 %24, label %25, label %28

25:
  %26 = phi i64 [ %23, %22 ], [ 1, %1 ]
  %27 = getelementptr inbounds i8, ptr %0, i64 24
  br label %29

28:
  ret void

29:
  %30 = phi i64 [ 0, %25 ], [ %36, %29 ]
  %31 = call ptr @gradir.library.fortran_nth(ptr %0, i64 %30)
  %32 = load i8, ptr %2, align 4
  %33 = sext i8 %32 to i64
  %34 = getelementptr inbounds %struct.dimension, ptr %27, i64 %33
  %35 = load ptr, ptr %34, align 8
  call void @gradir.objects.destroy(ptr %31, ptr %35)
  %36 = add nsw i64 %30, 1
  %37 = icmp eq i64 %36, %26
  br i1 %37, label %28, label %29
}
define internal void @gradir.body._FortranADestroyWithoutFinalization(ptr %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 21
  %3 = load i8, ptr %2, align 1
  %4 = icmp eq i8 %3, 42
  br i1 %4, label %5, label %10

5:
  %6 = getelementptr inbounds i8, ptr %0, i64 23
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 0
  br i1 %8, label %10, label %9

9:
  call void @gradir.library.fortran_destroyed(ptr %0)
  br label %10

10:
  ret void
}
define internal void @gradir.body._FortranAAssignPolymorphic(ptr %0, ptr %1, ptr %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %1, i64 21
  %6 = load i8, ptr %5, align 1
  switch i8 %6, label %7 [    i8 28, label %16    i8 35, label %16    i8 27, label %16    i8 34, label %16  ]

7:
  %8 = add i8 %6, -1
  %9 = icmp ult i8 %8, 24
  %10 = icmp eq i8 %6, 39
  %11 = or i1 %10, %9
  br i1 %11, label %12, label %17

12:
  %13 = getelementptr inbounds i8, ptr %1, i64 8
  %14 = load i64, ptr %13, align 8
  %15 = icmp ugt i64 %14, 8
  br i1 %15, label %17, label %16

16:
  call void @gradir.library.fortran_assigned_numbers(ptr %0, ptr %1)
  br label %18

17:
  call void @gradir.library.fortran_assigned_other(ptr %0, ptr %1)
  br label %18

18:
  ret void
}
define internal void @gradir.library.fortran_assigned_numbers(ptr %0, ptr %1) {
2:
  %3 = alloca %struct.descriptor, align 8
  %4 = alloca %struct.descriptor, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 22
  %6 = load i8, ptr %5, align 2
  %7 = icmp eq i8 %6, 2
  br i1 %7, label %11, label %8

8:
  %9 = getelementptr inbounds i8, ptr %1, i64 20
  %10 = load i8, ptr %9, align 4
  br label %98

11:
  %12 = load ptr, ptr %0, align 8
  %13 = icmp eq ptr %12, null
  %14 = getelementptr inbounds i8, ptr %1, i64 20
  %15 = load i8, ptr %14, align 4
  br i1 %13, label %32, label %16

16:
  %17 = icmp sgt i8 %15, 0
  br i1 %17, label %18, label %98

18:
  %19 = zext i8 %15 to i64
  br label %23

20:
  %21 = add nsw i64 %24, 1
  %22 = icmp eq i64 %21, %19
  br i1 %22, label %98, label %23

23:
  %24 = phi i64 [ 0, %18 ], [ %21, %20 ]
  %25 = getelementptr inbounds %struct.dimension, ptr %0, i64 %24
  %26 = getelementptr inbounds i8, ptr %25, i64 32
  %27 = load i64, ptr %26, align 8
  %28 = getelementptr inbounds %struct.dimension, ptr %1, i64 %24
  %29 = getelementptr inbounds i8, ptr %28, i64 32
  %30 = load i64, ptr %29, align 8
  %31 = icmp eq i64 %27, %30
  br i1 %31, label %20, label %32

32:
  %33 = getelementptr inbounds i8, ptr %1, i64 8
  %34 = load i64, ptr %33, align 8
  %35 = getelementptr inbounds i8, ptr %1, i64 20
  %36 = icmp eq i8 %15, 0
  br i1 %36, label %55, label %37

37:
  %38 = getelementptr inbounds i8, ptr %1, i64 32
  %39 = load i64, ptr %38, align 8
  %40 = mul nsw i64 %39, %34
  %41 = icmp sgt i8 %15, 1
  br i1 %41, label %42, label %55

42:
  %43 = zext i8 %15 to i64
  br label %44

44:
  %45 = phi i64 [ 1, %42 ], [ %51, %44 ]
  %46 = phi i64 [ 1, %42 ], [ %50, %44 ]
  %47 = getelementptr inbounds %struct.dimension, ptr %1, i64 %45
  %48 = getelementptr inbounds i8, ptr %47, i64 32
  %49 = load i64, ptr %48, align 8
  %50 = mul nsw i64 %49, %46
  %51 = add nsw i64 %45, 1
  %52 = icmp eq i64 %51, %43
  br i1 %52, label %53, label %44

53:
  %54 = mul nsw i64 %50, %40
  br label %55

55:
  %56 = phi i64 [ %40, %37 ], [ %34, %32 ], [ %54, %53 ]
  %57 = call i64 @llvm.umax.i64(i64 %56, i64 1)
  %58 = call ptr @malloc(i64 %57)
  store ptr %58, ptr %3, align 8
  %59 = getelementptr inbounds i8, ptr %3, i64 8
  store i64 %34, ptr %59, align 8
  %60 = getelementptr inbounds i8, ptr %3, i64 16
  store i32 20180515, ptr %60, align 8
  %61 = getelementptr inbounds i8, ptr %3, i64 20
  store i8 %15, ptr %61, align 4
  %62 = getelementptr inbounds i8, ptr %1, i64 21
  %63 = load i8, ptr %62, align 1
  %64 = getelementptr inbounds i8, ptr %3, i64 21
  store i8 %63, ptr %64, align 1
  %65 = getelementptr inbounds i8, ptr %3, i64 22
  store i8 2, ptr %65, align 2
  %66 = getelementptr inbounds i8, ptr %3, i64 23
  store i8 0, ptr %66, align 1
  %67 = icmp sgt i8 %15, 0
  br i1 %67, label %68, label %83

68:
  %69 = zext i8 %15 to i64
  %70 = getelementptr inbounds i8, ptr %3, i64 24
  br label %71

71:
  %72 = phi i64 [ 0, %68 ], [ %81, %71 ]
  %73 = phi i64 [ %34, %68 ], [ %80, %71 ]
  %74 = getelementptr inbounds %struct.dimension, ptr %70, i64 %72
  %75 = getelementptr inbounds %struct.dimension, ptr %1, i64 %72
  %76 = getelementptr inbounds i8, ptr %75, i64 32
  %77 = load i64, ptr %76, align 8
  store i64 1, ptr %74, align 8
  %78 = getelementptr inbounds i8, ptr %74, i64 8
  store i64 %77, ptr %78, align 8
  %79 = getelementptr inbounds i8, ptr %74, i64 16
  store i64 %73, ptr %79, align 8
  %80 = mul nsw i64 %77, %73
  %81 = add nsw i64 %72, 1
  %82 = icmp eq i64 %81, %69
  br i1 %82, label %83, label %71

83:
  call void @gradir.library.fortran_assign(ptr %3, ptr %1)
  store ptr %58, ptr %0, align 8
  %84 = load i8, ptr %35, align 4
  %85 = icmp sgt i8 %84, 0
  br i1 %85, label %86, label %89

86:
  %87 = getelementptr inbounds i8, ptr %0, i64 24
  %88 = getelementptr inbounds i8, ptr %3, i64 24
  br label %90

89:
  call void @free(ptr %12)
  br label %242

90:
  %91 = phi i64 [ 0, %86 ], [ %94, %90 ]
  %92 = getelementptr inbounds %struct.dimension, ptr %87, i64 %91
  %93 = getelementptr inbounds %struct.dimension, ptr %88, i64 %91
  call void @llvm.memcpy.p0.p0.i64(ptr %92, ptr %93, i64 24, i1 false)
  %94 = add nsw i64 %91, 1
  %95 = load i8, ptr %35, align 4
  %96 = sext i8 %95 to i64
  %97 = icmp slt i64 %94, %96
  br i1 %97, label %90, label %89

98:
  %99 = phi i8 [ %10, %8 ], [ %15, %16 ], [ %15, %20 ]
  %100 = icmp eq i8 %99, 0
  br i1 %100, label %194, label %101

101:
  %102 = load ptr, ptr %0, align 8
  %103 = getelementptr inbounds i8, ptr %0, i64 20
  %104 = load i8, ptr %103, align 4
  %105 = icmp sgt i8 %104, 0
  br i1 %105, label %106, label %123

106:
  %107 = zext i8 %104 to i64
  %108 = getelementptr inbounds i8, ptr %0, i64 24
  br label %109

109:
  %110 = phi i64 [ 0, %106 ], [ %121, %109 ]
  %111 = phi ptr [ %102, %106 ], [ %120, %109 ]
  %112 = getelementptr inbounds %struct.dimension, ptr %108, i64 %110
  %113 = getelementptr inbounds i8, ptr %112, i64 8
  %114 = load i64, ptr %113, align 8
  %115 = add nsw i64 %114, -1
  %116 = getelementptr inbounds i8, ptr %112, i64 16
  %117 = load i64, ptr %116, align 8
  %118 = mul nsw i64 %115, %117
  %119 = call i64 @llvm.smin.i64(i64 %118, i64 0)
  %120 = getelementptr inbounds i8, ptr %111, i64 %119
  %121 = add nsw i64 %110, 1
  %122 = icmp eq i64 %121, %107
  br i1 %122, label %123, label %109

123:
  %124 = phi ptr [ %102, %101 ], [ %120, %109 ]
  %125 = load ptr, ptr %1, align 8
  %126 = icmp sgt i8 %99, 0
  br i1 %126, label %127, label %149

127:
  %128 = zext i8 %99 to i64
  %129 = getelementptr inbounds i8, ptr %1, i64 24
  br label %130

130:
  %131 = phi i64 [ 0, %127 ], [ %142, %130 ]
  %132 = phi ptr [ %125, %127 ], [ %141, %130 ]
  %133 = getelementptr inbounds %struct.dimension, ptr %129, i64 %131
  %134 = getelementptr inbounds i8, ptr %133, i64 8
  %135 = load i64, ptr %134, align 8
  %136 = add nsw i64 %135, -1
  %137 = getelementptr inbounds i8, ptr %133, i64 16
  %138 = load i64, ptr %137, align 8
  %139 = mul nsw i64 %136, %138
  %140 = call i64 @llvm.smax.i64(i64 %139, i64 0)
  %141 = getelementptr inbounds i8, ptr %132, i64 %140
  %142 = add nsw i64 %131, 1
  %143 = icmp eq i64 %142, %128
  br i1 %143, label %144, label %130

144:
  %145 = getelementptr inbounds i8, ptr %1, i64 8
  %146 = load i64, ptr %145, align 8
  %147 = getelementptr inbounds i8, ptr %141, i64 %146
  %148 = icmp ult ptr %124, %147
  br i1 %148, label %154, label %194

149:
  %150 = getelementptr inbounds i8, ptr %1, i64 8
  %151 = load i64, ptr %150, align 8
  %152 = getelementptr inbounds i8, ptr %125, i64 %151
  %153 = icmp ult ptr %124, %152
  br i1 %153, label %168, label %194

154:
  %155 = phi i64 [ %166, %154 ], [ 0, %144 ]
  %156 = phi ptr [ %165, %154 ], [ %125, %144 ]
  %157 = getelementptr inbounds %struct.dimension, ptr %129, i64 %155
  %158 = getelementptr inbounds i8, ptr %157, i64 8
  %159 = load i64, ptr %158, align 8
  %160 = add nsw i64 %159, -1
  %161 = getelementptr inbounds i8, ptr %157, i64 16
  %162 = load i64, ptr %161, align 8
  %163 = mul nsw i64 %160, %162
  %164 = call i64 @llvm.smin.i64(i64 %163, i64 0)
  %165 = getelementptr inbounds i8, ptr %156, i64 %164
  %166 = add nsw i64 %155, 1
  %167 = icmp eq i64 %166, %128
  br i1 %167, label %168, label %154

168:
  %169 = phi i64 [ %151, %149 ], [ %146, %154 ]
  %170 = phi ptr [ %125, %149 ], [ %165, %154 ]
  br i1 %105, label %171, label %188

171:
  %172 = zext i8 %104 to i64
  %173 = getelementptr inbounds i8, ptr %0, i64 24
  br label %174

174:
  %175 = phi i64 [ 0, %171 ], [ %186, %174 ]
  %176 = phi ptr [ %102, %171 ], [ %185, %174 ]
  %177 = getelementptr inbounds %struct.dimension, ptr %173, i64 %175
  %178 = getelementptr inbounds i8, ptr %177, i64 8
  %179 = load i64, ptr %178, align 8
  %180 = add nsw i64 %179, -1
  %181 = getelementptr inbounds i8, ptr %177, i64 16
  %182 = load i64, ptr %181, align 8
  %183 = mul nsw i64 %180, %182
  %184 = call i64 @llvm.smax.i64(i64 %183, i64 0)
  %185 = getelementptr inbounds i8, ptr %176, i64 %184
  %186 = add nsw i64 %175, 1
  %187 = icmp eq i64 %186, %172
  br i1 %187, label %188, label %174

188:
  %189 = phi ptr [ %102, %168 ], [ %185, %174 ]
  %190 = getelementptr inbounds i8, ptr %0, i64 8
  %191 = load i64, ptr %190, align 8
  %192 = getelementptr inbounds i8, ptr %189, i64 %191
  %193 = icmp ult ptr %170, %192
  br i1 %193, label %195, label %194

194:
  call void @gradir.library.fortran_assign(ptr %0, ptr %1)
  br label %242

195:
  %196 = getelementptr inbounds i8, ptr %1, i64 32
  %197 = load i64, ptr %196, align 8
  %198 = mul nsw i64 %197, %169
  %199 = icmp sgt i8 %99, 1
  br i1 %199, label %200, label %213

200:
  %201 = zext i8 %99 to i64
  br label %202

202:
  %203 = phi i64 [ 1, %200 ], [ %209, %202 ]
  %204 = phi i64 [ 1, %200 ], [ %208, %202 ]
  %205 = getelementptr inbounds %struct.dimension, ptr %1, i64 %203
  %206 = getelementptr inbounds i8, ptr %205, i64 32
  %207 = load i64, ptr %206, align 8
  %208 = mul nsw i64 %207, %204
  %209 = add nsw i64 %203, 1
  %210 = icmp eq i64 %209, %201
  br i1 %210, label %211, label %202

211:
  %212 = mul nsw i64 %208, %198
  br label %213

213:
  %214 = phi i64 [ %198, %195 ], [ %212, %211 ]
  %215 = call i64 @llvm.umax.i64(i64 %214, i64 1)
  %216 = call ptr @malloc(i64 %215)
  store ptr %216, ptr %4, align 8
  %217 = getelementptr inbounds i8, ptr %4, i64 8
  store i64 %169, ptr %217, align 8
  %218 = getelementptr inbounds i8, ptr %4, i64 16
  store i32 20180515, ptr %218, align 8
  %219 = getelementptr inbounds i8, ptr %4, i64 20
  store i8 %99, ptr %219, align 4
  %220 = getelementptr inbounds i8, ptr %1, i64 21
  %221 = load i8, ptr %220, align 1
  %222 = getelementptr inbounds i8, ptr %4, i64 21
  store i8 %221, ptr %222, align 1
  %223 = getelementptr inbounds i8, ptr %4, i64 22
  store i8 2, ptr %223, align 2
  %224 = getelementptr inbounds i8, ptr %4, i64 23
  store i8 0, ptr %224, align 1
  br i1 %126, label %225, label %240

225:
  %226 = zext i8 %99 to i64
  %227 = getelementptr inbounds i8, ptr %4, i64 24
  br label %228

228:
  %229 = phi i64 [ 0, %225 ], [ %238, %228 ]
  %230 = phi i64 [ %169, %225 ], [ %237, %228 ]
  %231 = getelementptr inbounds %struct.dimension, ptr %227, i64 %229
  %232 = getelementptr inbounds %struct.dimension, ptr %1, i64 %229
  %233 = getelementptr inbounds i8, ptr %232, i64 32
  %234 = load i64, ptr %233, align 8
  store i64 1, ptr %231, align 8
  %235 = getelementptr inbounds i8, ptr %231, i64 8
  store i64 %234, ptr %235, align 8
  %236 = getelementptr inbounds i8, ptr %231, i64 16
  store i64 %230, ptr %236, align 8
  %237 = mul nsw i64 %234, %230
  %238 = add nsw i64 %229, 1
  %239 = icmp eq i64 %238, %226
  br i1 %239, label %240, label %228

240:
  call void @gradir.library.fortran_assign(ptr %4, ptr %1)
  call void @gradir.library.fortran_assign(ptr %0, ptr %4)
  %241 = load ptr, ptr %4, align 8
  call void @free(ptr %241)
  br label %242

242:
  ret void
}
define internal void @gradir.library.fortran_assigned_other(ptr %0, ptr %1) {
2:
  %3 = getelementptr inbounds i8, ptr %1, i64 21
  %4 = load i8, ptr %3, align 1
  switch i8 %4, label %11 [    i8 42, label %5    i8 40, label %10  ]

5:
  %6 = getelementptr inbounds i8, ptr %1, i64 23
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 0
  br i1 %8, label %11, label %9

9:
  call void @gradir.library.fortran_assigned_objects(ptr %0, ptr %1)
  br label %12

10:
  call void @gradir.library.fortran_assigned_text(ptr %0, ptr %1)
  br label %12

11:
  call void @_FortranAElementsOfAnotherKind()
  br label %12

12:
  ret void
}
define internal void @gradir.body._FortranAAssign(ptr %0, ptr %1, ptr %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %1, i64 21
  %6 = load i8, ptr %5, align 1
  switch i8 %6, label %7 [    i8 28, label %16    i8 35, label %16    i8 27, label %16    i8 34, label %16  ]

7:
  %8 = add i8 %6, -1
  %9 = icmp ult i8 %8, 24
  %10 = icmp eq i8 %6, 39
  %11 = or i1 %10, %9
  br i1 %11, label %12, label %17

12:
  %13 = getelementptr inbounds i8, ptr %1, i64 8
  %14 = load i64, ptr %13, align 8
  %15 = icmp ugt i64 %14, 8
  br i1 %15, label %17, label %16

16:
  call void @gradir.library.fortran_assigned_numbers(ptr %0, ptr %1)
  br label %18

17:
  call void @gradir.library.fortran_assigned_other(ptr %0, ptr %1)
  br label %18

18:
  ret void
}
define internal void @gradir.body._FortranAAssignTemporary(ptr %0, ptr %1, ptr %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %1, i64 21
  %6 = load i8, ptr %5, align 1
  %7 = icmp eq i8 %6, 42
  br i1 %7, label %8, label %17

8:
  %9 = getelementptr inbounds i8, ptr %1, i64 23
  %10 = load i8, ptr %9, align 1
  %11 = icmp eq i8 %10, 0
  br i1 %11, label %19, label %12

12:
  %13 = load ptr, ptr %0, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %19, label %15

15:
  call void @gradir.library.fortran_initialized(ptr %0)
  %16 = load i8, ptr %5, align 1
  br label %17

17:
  %18 = phi i8 [ %6, %4 ], [ %16, %15 ]
  switch i8 %18, label %19 [    i8 28, label %29    i8 35, label %29    i8 27, label %29    i8 34, label %29  ]

19:
  %20 = phi i8 [ %18, %17 ], [ 42, %8 ], [ 42, %12 ]
  %21 = add i8 %20, -1
  %22 = icmp ult i8 %21, 24
  %23 = icmp eq i8 %20, 39
  %24 = or i1 %23, %22
  br i1 %24, label %25, label %30

25:
  %26 = getelementptr inbounds i8, ptr %1, i64 8
  %27 = load i64, ptr %26, align 8
  %28 = icmp ugt i64 %27, 8
  br i1 %28, label %30, label %29

29:
  call void @gradir.library.fortran_assigned_numbers(ptr %0, ptr %1)
  br label %31

30:
  call void @gradir.library.fortran_assigned_other(ptr %0, ptr %1)
  br label %31

31:
  ret void
}
define internal void @gradir.body._FortranAAllocatableInitDerivedForAllocate(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  %5 = load ptr, ptr %0, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %7, label %8

7:
  call void @gradir.library.fortran_becomes(ptr %0, ptr %1, i32 %2, i32 2)
  br label %8

8:
  ret void
}
define internal void @gradir.library.fortran_becomes(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  store ptr null, ptr %0, align 8
  %5 = getelementptr inbounds i8, ptr %1, i64 88
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %6, ptr %7, align 8
  %8 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %8, align 8
  %9 = trunc i32 %2 to i8
  %10 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %9, ptr %10, align 4
  %11 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 42, ptr %11, align 1
  %12 = trunc nsw i32 %3 to i8
  %13 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 %12, ptr %13, align 2
  %14 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 1, ptr %14, align 1
  %15 = getelementptr inbounds i8, ptr %0, i64 24
  %16 = sext i8 %9 to i64
  %17 = getelementptr inbounds %struct.dimension, ptr %15, i64 %16
  store ptr %1, ptr %17, align 8
  ret void
}
define internal void @gradir.body._FortranAAllocatableInitDerived(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  call void @gradir.library.fortran_becomes(ptr %0, ptr %1, i32 %2, i32 2)
  ret void
}
define internal void @gradir.body._FortranAPointerNullifyDerived(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  call void @gradir.library.fortran_becomes(ptr %0, ptr %1, i32 %2, i32 1)
  ret void
}
define internal void @gradir.body._FortranAAllocatableApplyMold(ptr %0, ptr %1, i32 %2) {
3:
  %4 = load ptr, ptr %0, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %6, label %7

6:
  call void @gradir.library.fortran_takes_mold(ptr %0, ptr %1, i32 %2)
  br label %7

7:
  ret void
}
define internal void @gradir.library.fortran_takes_mold(ptr %0, ptr %1, i32 %2) {
3:
  %4 = getelementptr inbounds i8, ptr %1, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %5, ptr %6, align 8
  %7 = trunc i32 %2 to i8
  %8 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %7, ptr %8, align 4
  %9 = getelementptr inbounds i8, ptr %1, i64 21
  %10 = load i8, ptr %9, align 1
  %11 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %10, ptr %11, align 1
  %12 = getelementptr inbounds i8, ptr %1, i64 20
  %13 = icmp sgt i32 %2, 0
  br i1 %13, label %14, label %23

14:
  %15 = getelementptr inbounds i8, ptr %0, i64 24
  %16 = getelementptr inbounds i8, ptr %1, i64 24
  %17 = zext i32 %2 to i64
  br label %18

18:
  %19 = phi i64 [ 0, %14 ], [ %30, %27 ]
  %20 = load i8, ptr %12, align 4
  %21 = sext i8 %20 to i64
  %22 = icmp slt i64 %19, %21
  br i1 %22, label %27, label %23

23:
  %24 = getelementptr inbounds i8, ptr %0, i64 23
  %25 = load i8, ptr %24, align 1
  %26 = icmp eq i8 %25, 0
  br i1 %26, label %45, label %32

27:
  %28 = getelementptr inbounds %struct.dimension, ptr %15, i64 %19
  %29 = getelementptr inbounds %struct.dimension, ptr %16, i64 %19
  call void @llvm.memcpy.p0.p0.i64(ptr %28, ptr %29, i64 24, i1 false)
  %30 = add nsw i64 %19, 1
  %31 = icmp eq i64 %30, %17
  br i1 %31, label %23, label %18

32:
  %33 = getelementptr inbounds i8, ptr %1, i64 23
  %34 = load i8, ptr %33, align 1
  %35 = icmp eq i8 %34, 0
  br i1 %35, label %45, label %36

36:
  %37 = getelementptr inbounds i8, ptr %1, i64 24
  %38 = load i8, ptr %12, align 4
  %39 = sext i8 %38 to i64
  %40 = getelementptr inbounds %struct.dimension, ptr %37, i64 %39
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds i8, ptr %0, i64 24
  %43 = sext i8 %7 to i64
  %44 = getelementptr inbounds %struct.dimension, ptr %42, i64 %43
  store ptr %41, ptr %44, align 8
  br label %45

45:
  ret void
}
define internal void @gradir.body._FortranAPointerApplyMold(ptr %0, ptr %1, i32 %2) {
3:
  call void @gradir.library.fortran_takes_mold(ptr %0, ptr %1, i32 %2)
  ret void
}
define internal void @gradir.body._FortranAReshape(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, i32 %6) {
7:
  %8 = alloca %struct.descriptor, align 8
  %9 = getelementptr inbounds i8, ptr %1, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds i8, ptr %1, i64 21
  %12 = load i8, ptr %11, align 1
  %13 = getelementptr inbounds i8, ptr %2, i64 32
  %14 = load i64, ptr %13, align 8
  %15 = trunc i64 %14 to i8
  %16 = sext i8 %15 to i32
  %17 = icmp sgt i8 %15, 0
  br i1 %17, label %18, label %21

18:
  %19 = getelementptr inbounds i8, ptr %2, i64 8
  %20 = zext i32 %16 to i64
  br label %110

21:
  %22 = icmp eq i8 %15, 0
  br i1 %22, label %41, label %23

23:
  %24 = getelementptr inbounds i8, ptr %8, i64 32
  %25 = load i64, ptr %24, align 8
  %26 = mul nsw i64 %25, %10
  %27 = icmp sgt i8 %15, 1
  br i1 %27, label %28, label %41

28:
  %29 = and i64 %14, 127
  br label %30

30:
  %31 = phi i64 [ 1, %28 ], [ %37, %30 ]
  %32 = phi i64 [ 1, %28 ], [ %36, %30 ]
  %33 = getelementptr inbounds %struct.dimension, ptr %8, i64 %31
  %34 = getelementptr inbounds i8, ptr %33, i64 32
  %35 = load i64, ptr %34, align 8
  %36 = mul nsw i64 %35, %32
  %37 = add nsw i64 %31, 1
  %38 = icmp eq i64 %37, %29
  br i1 %38, label %39, label %30

39:
  %40 = mul nsw i64 %36, %26
  br label %41

41:
  %42 = phi i64 [ %26, %23 ], [ %10, %21 ], [ %40, %39 ]
  %43 = call i64 @llvm.umax.i64(i64 %42, i64 1)
  %44 = call ptr @malloc(i64 %43)
  store ptr %44, ptr %0, align 8
  %45 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %10, ptr %45, align 8
  %46 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %15, ptr %47, align 4
  %48 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %12, ptr %48, align 1
  %49 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %49, align 2
  %50 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %50, align 1
  br i1 %17, label %51, label %66

51:
  %52 = and i64 %14, 127
  %53 = getelementptr inbounds i8, ptr %0, i64 24
  br label %54

54:
  %55 = phi i64 [ 0, %51 ], [ %64, %54 ]
  %56 = phi i64 [ %10, %51 ], [ %63, %54 ]
  %57 = getelementptr inbounds %struct.dimension, ptr %53, i64 %55
  %58 = getelementptr inbounds %struct.dimension, ptr %8, i64 %55
  %59 = getelementptr inbounds i8, ptr %58, i64 32
  %60 = load i64, ptr %59, align 8
  store i64 1, ptr %57, align 8
  %61 = getelementptr inbounds i8, ptr %57, i64 8
  store i64 %60, ptr %61, align 8
  %62 = getelementptr inbounds i8, ptr %57, i64 16
  store i64 %56, ptr %62, align 8
  %63 = mul nsw i64 %60, %56
  %64 = add nsw i64 %55, 1
  %65 = icmp eq i64 %64, %52
  br i1 %65, label %70, label %54

66:
  br i1 %22, label %85, label %67

67:
  %68 = getelementptr inbounds i8, ptr %0, i64 32
  %69 = load i64, ptr %68, align 8
  br label %85

70:
  %71 = getelementptr inbounds i8, ptr %0, i64 32
  %72 = load i64, ptr %71, align 8
  %73 = icmp eq i8 %15, 1
  br i1 %73, label %85, label %74

74:
  %75 = phi i64 [ %81, %74 ], [ 1, %70 ]
  %76 = phi i64 [ %80, %74 ], [ 1, %70 ]
  %77 = getelementptr inbounds %struct.dimension, ptr %0, i64 %75
  %78 = getelementptr inbounds i8, ptr %77, i64 32
  %79 = load i64, ptr %78, align 8
  %80 = mul nsw i64 %79, %76
  %81 = add nsw i64 %75, 1
  %82 = icmp eq i64 %81, %52
  br i1 %82, label %83, label %74

83:
  %84 = mul nsw i64 %80, %72
  br label %85

85:
  %86 = phi i64 [ %72, %70 ], [ 1, %66 ], [ %84, %83 ], [ %69, %67 ]
  %87 = getelementptr inbounds i8, ptr %1, i64 20
  %88 = load i8, ptr %87, align 4
  %89 = icmp eq i8 %88, 0
  br i1 %89, label %107, label %90

90:
  %91 = getelementptr inbounds i8, ptr %1, i64 32
  %92 = load i64, ptr %91, align 8
  %93 = icmp sgt i8 %88, 1
  br i1 %93, label %94, label %107

94:
  %95 = zext i8 %88 to i64
  br label %96

96:
  %97 = phi i64 [ 1, %94 ], [ %103, %96 ]
  %98 = phi i64 [ 1, %94 ], [ %102, %96 ]
  %99 = getelementptr inbounds %struct.dimension, ptr %1, i64 %97
  %100 = getelementptr inbounds i8, ptr %99, i64 32
  %101 = load i64, ptr %100, align 8
  %102 = mul nsw i64 %101, %98
  %103 = add nsw i64 %97, 1
  %104 = icmp eq i64 %103, %95
  br i1 %104, label %105, label %96

105:
  %106 = mul nsw i64 %102, %92
  br label %107

107:
  %108 = phi i64 [ %92, %90 ], [ 1, %85 ], [ %106, %105 ]
  %109 = icmp eq ptr %3, null
  br i1 %109, label %155, label %134

110:
  %111 = phi i64 [ 0, %18 ], [ %132, %127 ]
  %112 = call ptr @gradir.library.fortran_nth(ptr %2, i64 %111)
  %113 = load i64, ptr %19, align 8
  switch i64 %113, label %121 [    i64 8, label %114    i64 4, label %116    i64 2, label %118  ]

114:
  %115 = load i64, ptr %112, align 8
  br label %127

116:
  %117 = load i32, ptr %112, align 4
  br label %124

118:
  %119 = load i16, ptr %112, align 2
  %120 = sext i16 %119 to i32
  br label %124

121:
  %122 = load i8, ptr %112, align 1
  %123 = sext i8 %122 to i32
  br label %124

124:
  %125 = phi i32 [ %117, %116 ], [ %120, %118 ], [ %123, %121 ]
  %126 = sext i32 %125 to i64
  br label %127

127:
  %128 = phi i64 [ %115, %114 ], [ %126, %124 ]
  %129 = call i64 @llvm.smax.i64(i64 %128, i64 0)
  %130 = getelementptr inbounds %struct.dimension, ptr %8, i64 %111
  %131 = getelementptr inbounds i8, ptr %130, i64 32
  store i64 %129, ptr %131, align 8
  %132 = add nsw i64 %111, 1
  %133 = icmp eq i64 %132, %20
  br i1 %133, label %21, label %110

134:
  %135 = getelementptr inbounds i8, ptr %3, i64 20
  %136 = load i8, ptr %135, align 4
  %137 = icmp eq i8 %136, 0
  br i1 %137, label %155, label %138

138:
  %139 = getelementptr inbounds i8, ptr %3, i64 32
  %140 = load i64, ptr %139, align 8
  %141 = icmp sgt i8 %136, 1
  br i1 %141, label %142, label %155

142:
  %143 = zext i8 %136 to i64
  br label %144

144:
  %145 = phi i64 [ 1, %142 ], [ %151, %144 ]
  %146 = phi i64 [ 1, %142 ], [ %150, %144 ]
  %147 = getelementptr inbounds %struct.dimension, ptr %3, i64 %145
  %148 = getelementptr inbounds i8, ptr %147, i64 32
  %149 = load i64, ptr %148, align 8
  %150 = mul nsw i64 %149, %146
  %151 = add nsw i64 %145, 1
  %152 = icmp eq i64 %151, %143
  br i1 %152, label %153, label %144

153:
  %154 = mul nsw i64 %150, %140
  br label %155

155:
  %156 = phi i64 [ 0, %107 ], [ %140, %138 ], [ 1, %134 ], [ %154, %153 ]
  %157 = icmp sgt i64 %86, 0
  br i1 %157, label %158, label %165

158:
  %159 = icmp eq i64 %156, 0
  %160 = icmp eq ptr %4, null
  %161 = icmp slt i8 %15, 1
  %162 = getelementptr inbounds i8, ptr %4, i64 8
  %163 = or i1 %160, %161
  %164 = zext i32 %16 to i64
  br label %166

165:
  ret void

166:
  %167 = phi i64 [ 0, %158 ], [ %217, %213 ]
  %168 = icmp slt i64 %167, %108
  br i1 %168, label %169, label %171

169:
  %170 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %167)
  br label %176

171:
  br i1 %159, label %176, label %172

172:
  %173 = sub nsw i64 %167, %108
  %174 = srem i64 %173, %156
  %175 = call ptr @gradir.library.fortran_nth(ptr %3, i64 %174)
  br label %176

176:
  %177 = phi ptr [ %170, %169 ], [ %175, %172 ], [ null, %171 ]
  %178 = load i64, ptr %45, align 8
  %179 = mul i64 %178, %167
  %180 = select i1 %160, i64 %179, i64 0
  br i1 %163, label %213, label %181

181:
  %182 = phi i64 [ %211, %200 ], [ 0, %176 ]
  %183 = phi i64 [ %210, %200 ], [ %167, %176 ]
  %184 = phi i64 [ %209, %200 ], [ 0, %176 ]
  %185 = call ptr @gradir.library.fortran_nth(ptr %4, i64 %182)
  %186 = load i64, ptr %162, align 8
  switch i64 %186, label %194 [    i64 8, label %187    i64 4, label %189    i64 2, label %191  ]

187:
  %188 = load i64, ptr %185, align 8
  br label %200

189:
  %190 = load i32, ptr %185, align 4
  br label %197

191:
  %192 = load i16, ptr %185, align 2
  %193 = sext i16 %192 to i32
  br label %197

194:
  %195 = load i8, ptr %185, align 1
  %196 = sext i8 %195 to i32
  br label %197

197:
  %198 = phi i32 [ %190, %189 ], [ %193, %191 ], [ %196, %194 ]
  %199 = sext i32 %198 to i64
  br label %200

200:
  %201 = phi i64 [ %188, %187 ], [ %199, %197 ]
  %202 = getelementptr %struct.dimension, ptr %0, i64 %201
  %203 = getelementptr inbounds i8, ptr %202, i64 8
  %204 = load i64, ptr %203, align 8
  %205 = srem i64 %183, %204
  %206 = getelementptr inbounds i8, ptr %202, i64 16
  %207 = load i64, ptr %206, align 8
  %208 = mul nsw i64 %207, %205
  %209 = add nsw i64 %208, %184
  %210 = sdiv i64 %183, %204
  %211 = add nsw i64 %182, 1
  %212 = icmp eq i64 %211, %164
  br i1 %212, label %213, label %181

213:
  %214 = phi i64 [ %180, %176 ], [ %209, %200 ]
  %215 = load ptr, ptr %0, align 8
  %216 = getelementptr inbounds i8, ptr %215, i64 %214
  call void @gradir.library.fortran_copy(ptr %216, ptr %177, ptr %1)
  %217 = add nsw i64 %167, 1
  %218 = icmp eq i64 %217, %86
  br i1 %218, label %165, label %166
}
define internal ptr @gradir.library.fortran_nth(ptr %0, i64 %1) {
2:
  %3 = getelementptr inbounds i8, ptr %0, i64 20
  %4 = load i8, ptr %3, align 4
  %5 = load ptr, ptr %0, align 8
  switch i8 %4, label %6 [    i8 0, label %46    i8 1, label %39  ]

6:
  %7 = getelementptr inbounds i8, ptr %0, i64 32
  %8 = load i64, ptr %7, align 8
  %9 = sdiv i64 %1, %8
  %10 = srem i64 %1, %8
  %11 = icmp slt i8 %4, 3
  br i1 %11, label %15, label %12

12:
  %13 = getelementptr inbounds i8, ptr %0, i64 24
  %14 = zext i8 %4 to i64
  br label %21

15:
  %16 = icmp eq i8 %4, 2
  br i1 %16, label %17, label %36

17:
  %18 = getelementptr inbounds i8, ptr %0, i64 64
  %19 = load i64, ptr %18, align 8
  %20 = mul nsw i64 %19, %9
  br label %36

21:
  %22 = phi i64 [ 1, %12 ], [ %34, %21 ]
  %23 = phi i64 [ 0, %12 ], [ %32, %21 ]
  %24 = phi i64 [ %9, %12 ], [ %33, %21 ]
  %25 = getelementptr inbounds %struct.dimension, ptr %13, i64 %22
  %26 = getelementptr inbounds i8, ptr %25, i64 8
  %27 = load i64, ptr %26, align 8
  %28 = srem i64 %24, %27
  %29 = getelementptr inbounds i8, ptr %25, i64 16
  %30 = load i64, ptr %29, align 8
  %31 = mul nsw i64 %30, %28
  %32 = add nsw i64 %31, %23
  %33 = sdiv i64 %24, %27
  %34 = add nsw i64 %22, 1
  %35 = icmp eq i64 %34, %14
  br i1 %35, label %36, label %21

36:
  %37 = phi i64 [ 0, %15 ], [ %20, %17 ], [ %32, %21 ]
  %38 = getelementptr inbounds i8, ptr %5, i64 %37
  br label %39

39:
  %40 = phi i64 [ %10, %36 ], [ %1, %2 ]
  %41 = phi ptr [ %38, %36 ], [ %5, %2 ]
  %42 = getelementptr inbounds i8, ptr %0, i64 40
  %43 = load i64, ptr %42, align 8
  %44 = mul nsw i64 %43, %40
  %45 = getelementptr inbounds i8, ptr %41, i64 %44
  br label %46

46:
  %47 = phi ptr [ %5, %2 ], [ %45, %39 ]
  ret ptr %47
}
define internal void @gradir.library.fortran_copy(ptr %0, ptr %1, ptr %2) {
3:
  %4 = getelementptr inbounds i8, ptr %2, i64 21
  %5 = load i8, ptr %4, align 1
  switch i8 %5, label %32 [    i8 28, label %6    i8 35, label %6    i8 27, label %19    i8 34, label %19  ]

6:
  %7 = icmp eq ptr %1, null
  br i1 %7, label %8, label %10

8:
  store double 0.000000e+00, ptr %0, align 8
  %9 = icmp eq i8 %5, 35
  br i1 %9, label %16, label %111

10:
  %11 = load double, ptr %1, align 8
  store double %11, ptr %0, align 8
  %12 = icmp eq i8 %5, 35
  br i1 %12, label %13, label %111

13:
  %14 = getelementptr inbounds i8, ptr %1, i64 8
  %15 = load double, ptr %14, align 8
  br label %16

16:
  %17 = phi double [ %15, %13 ], [ 0.000000e+00, %8 ]
  %18 = getelementptr inbounds i8, ptr %0, i64 8
  store double %17, ptr %18, align 8
  br label %111

19:
  %20 = icmp eq ptr %1, null
  br i1 %20, label %21, label %23

21:
  store float 0.000000e+00, ptr %0, align 4
  %22 = icmp eq i8 %5, 34
  br i1 %22, label %29, label %111

23:
  %24 = load float, ptr %1, align 4
  store float %24, ptr %0, align 4
  %25 = icmp eq i8 %5, 34
  br i1 %25, label %26, label %111

26:
  %27 = getelementptr inbounds i8, ptr %1, i64 4
  %28 = load float, ptr %27, align 4
  br label %29

29:
  %30 = phi float [ %28, %26 ], [ 0.000000e+00, %21 ]
  %31 = getelementptr inbounds i8, ptr %0, i64 4
  store float %30, ptr %31, align 4
  br label %111

32:
  %33 = add i8 %5, -1
  %34 = icmp ult i8 %33, 24
  %35 = icmp eq i8 %5, 39
  %36 = or i1 %35, %34
  br i1 %36, label %37, label %63

37:
  %38 = getelementptr inbounds i8, ptr %2, i64 8
  %39 = load i64, ptr %38, align 8
  %40 = icmp ugt i64 %39, 8
  br i1 %40, label %95, label %41

41:
  %42 = icmp eq ptr %1, null
  switch i64 %39, label %58 [    i64 8, label %43    i64 4, label %48    i64 2, label %53  ]

43:
  br i1 %42, label %46, label %44

44:
  %45 = load i64, ptr %1, align 8
  br label %46

46:
  %47 = phi i64 [ %45, %44 ], [ 0, %43 ]
  store i64 %47, ptr %0, align 8
  br label %111

48:
  br i1 %42, label %51, label %49

49:
  %50 = load i32, ptr %1, align 4
  br label %51

51:
  %52 = phi i32 [ %50, %49 ], [ 0, %48 ]
  store i32 %52, ptr %0, align 4
  br label %111

53:
  br i1 %42, label %56, label %54

54:
  %55 = load i16, ptr %1, align 2
  br label %56

56:
  %57 = phi i16 [ %55, %54 ], [ 0, %53 ]
  store i16 %57, ptr %0, align 2
  br label %111

58:
  br i1 %42, label %61, label %59

59:
  %60 = load i8, ptr %1, align 1
  br label %61

61:
  %62 = phi i8 [ %60, %59 ], [ 0, %58 ]
  store i8 %62, ptr %0, align 1
  br label %111

63:
  %64 = icmp eq i8 %5, 42
  br i1 %64, label %65, label %95

65:
  %66 = getelementptr inbounds i8, ptr %2, i64 23
  %67 = load i8, ptr %66, align 1
  %68 = icmp eq i8 %67, 0
  br i1 %68, label %69, label %73

69:
  %70 = getelementptr inbounds i8, ptr %2, i64 20
  %71 = load i8, ptr %70, align 4
  %72 = sext i8 %71 to i64
  br label %83

73:
  %74 = getelementptr inbounds i8, ptr %2, i64 24
  %75 = getelementptr inbounds i8, ptr %2, i64 20
  %76 = load i8, ptr %75, align 4
  %77 = sext i8 %76 to i64
  %78 = getelementptr inbounds %struct.dimension, ptr %74, i64 %77
  %79 = load ptr, ptr %78, align 8
  %80 = getelementptr inbounds i8, ptr %79, i64 430
  %81 = load i8, ptr %80, align 1
  %82 = icmp eq i8 %81, 0
  br i1 %82, label %83, label %95

83:
  %84 = phi i64 [ %72, %69 ], [ %77, %73 ]
  %85 = getelementptr inbounds i8, ptr %2, i64 24
  %86 = getelementptr inbounds %struct.dimension, ptr %85, i64 %84
  %87 = load ptr, ptr %86, align 8
  call void @gradir.objects.initialize(ptr %0, ptr %87)
  %88 = icmp eq ptr %1, null
  br i1 %88, label %111, label %89

89:
  %90 = getelementptr inbounds i8, ptr %2, i64 20
  %91 = load i8, ptr %90, align 4
  %92 = sext i8 %91 to i64
  %93 = getelementptr inbounds %struct.dimension, ptr %85, i64 %92
  %94 = load ptr, ptr %93, align 8
  call void @gradir.objects.assign(ptr %0, ptr %1, ptr %94)
  br label %111

95:
  %96 = icmp eq ptr %1, null
  %97 = getelementptr inbounds i8, ptr %2, i64 8
  %98 = load i64, ptr %97, align 8
  br i1 %96, label %99, label %101

99:
  %100 = icmp eq i64 %98, 0
  br i1 %100, label %111, label %102

101:
  call void @llvm.memcpy.p0.p0.i64(ptr %0, ptr %1, i64 %98, i1 false)
  br label %111

102:
  %103 = phi i64 [ %108, %102 ], [ 0, %99 ]
  %104 = load i8, ptr %4, align 1
  %105 = icmp eq i8 %104, 42
  %106 = select i1 %105, i8 0, i8 32
  %107 = getelementptr inbounds i8, ptr %0, i64 %103
  store i8 %106, ptr %107, align 1
  %108 = add nsw i64 %103, 1
  %109 = load i64, ptr %97, align 8
  %110 = icmp ult i64 %108, %109
  br i1 %110, label %102, label %111

111:
  ret void
}
define internal void @gradir.body._FortranATranspose(ptr %0, ptr %1, ptr %2, i32 %3) {
4:
  %5 = alloca %struct.descriptor, align 8
  %6 = getelementptr inbounds i8, ptr %1, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = getelementptr inbounds i8, ptr %1, i64 21
  %9 = load i8, ptr %8, align 1
  %10 = getelementptr inbounds i8, ptr %1, i64 56
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %5, i64 32
  store i64 %11, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %1, i64 32
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds i8, ptr %5, i64 56
  store i64 %14, ptr %15, align 8
  %16 = mul nsw i64 %11, %7
  %17 = mul nsw i64 %16, %14
  %18 = call i64 @llvm.umax.i64(i64 %17, i64 1)
  %19 = call ptr @malloc(i64 %18)
  store ptr %19, ptr %0, align 8
  %20 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %7, ptr %20, align 8
  %21 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %21, align 8
  %22 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 2, ptr %22, align 4
  %23 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %9, ptr %23, align 1
  %24 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %24, align 2
  %25 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %25, align 1
  %26 = getelementptr inbounds i8, ptr %0, i64 24
  br label %27

27:
  %28 = phi i64 [ 0, %4 ], [ %37, %27 ]
  %29 = phi i64 [ %7, %4 ], [ %36, %27 ]
  %30 = getelementptr inbounds %struct.dimension, ptr %26, i64 %28
  %31 = getelementptr inbounds %struct.dimension, ptr %5, i64 %28
  %32 = getelementptr inbounds i8, ptr %31, i64 32
  %33 = load i64, ptr %32, align 8
  store i64 1, ptr %30, align 8
  %34 = getelementptr inbounds i8, ptr %30, i64 8
  store i64 %33, ptr %34, align 8
  %35 = getelementptr inbounds i8, ptr %30, i64 16
  store i64 %29, ptr %35, align 8
  %36 = mul nsw i64 %33, %29
  %37 = add nsw i64 %28, 1
  %38 = icmp eq i64 %37, 2
  br i1 %38, label %39, label %27

39:
  %40 = load i64, ptr %13, align 8
  %41 = icmp sgt i64 %40, 0
  br i1 %41, label %42, label %51

42:
  %43 = getelementptr inbounds i8, ptr %1, i64 40
  %44 = getelementptr inbounds i8, ptr %1, i64 64
  %45 = load i64, ptr %10, align 8
  br label %46

46:
  %47 = phi i64 [ %40, %42 ], [ %55, %54 ]
  %48 = phi i64 [ %45, %42 ], [ %56, %54 ]
  %49 = phi i64 [ 0, %42 ], [ %57, %54 ]
  %50 = icmp sgt i64 %48, 0
  br i1 %50, label %59, label %54

51:
  ret void

52:
  %53 = load i64, ptr %13, align 8
  br label %54

54:
  %55 = phi i64 [ %53, %52 ], [ %47, %46 ]
  %56 = phi i64 [ %76, %52 ], [ %48, %46 ]
  %57 = add nsw i64 %49, 1
  %58 = icmp slt i64 %57, %55
  br i1 %58, label %46, label %51

59:
  %60 = phi i64 [ %76, %59 ], [ %48, %46 ]
  %61 = phi i64 [ %75, %59 ], [ 0, %46 ]
  %62 = load ptr, ptr %0, align 8
  %63 = mul nsw i64 %60, %49
  %64 = add nsw i64 %63, %61
  %65 = load i64, ptr %20, align 8
  %66 = mul i64 %65, %64
  %67 = getelementptr inbounds i8, ptr %62, i64 %66
  %68 = load ptr, ptr %1, align 8
  %69 = load i64, ptr %43, align 8
  %70 = mul nsw i64 %69, %49
  %71 = getelementptr inbounds i8, ptr %68, i64 %70
  %72 = load i64, ptr %44, align 8
  %73 = mul nsw i64 %72, %61
  %74 = getelementptr inbounds i8, ptr %71, i64 %73
  call void @gradir.library.fortran_copy(ptr %67, ptr %74, ptr %1)
  %75 = add nsw i64 %61, 1
  %76 = load i64, ptr %10, align 8
  %77 = icmp slt i64 %75, %76
  br i1 %77, label %59, label %52
}
define internal void @gradir.body._FortranACshiftVector(ptr %0, ptr %1, i64 %2, ptr %3, i32 %4) {
5:
  call void @gradir.library.fortran_shifted(ptr %0, ptr %1, ptr null, i64 %2, i32 1, i32 1, ptr null)
  ret void
}
define internal void @gradir.library.fortran_shifted(ptr %0, ptr %1, ptr %2, i64 %3, i32 %4, i32 %5, ptr %6) {
7:
  %8 = getelementptr inbounds i8, ptr %1, i64 8
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds i8, ptr %1, i64 20
  %11 = load i8, ptr %10, align 4
  %12 = icmp eq i8 %11, 0
  br i1 %12, label %31, label %13

13:
  %14 = getelementptr inbounds i8, ptr %1, i64 32
  %15 = load i64, ptr %14, align 8
  %16 = mul nsw i64 %15, %9
  %17 = icmp sgt i8 %11, 1
  br i1 %17, label %18, label %31

18:
  %19 = zext i8 %11 to i64
  br label %20

20:
  %21 = phi i64 [ 1, %18 ], [ %27, %20 ]
  %22 = phi i64 [ 1, %18 ], [ %26, %20 ]
  %23 = getelementptr inbounds %struct.dimension, ptr %1, i64 %21
  %24 = getelementptr inbounds i8, ptr %23, i64 32
  %25 = load i64, ptr %24, align 8
  %26 = mul nsw i64 %25, %22
  %27 = add nsw i64 %21, 1
  %28 = icmp eq i64 %27, %19
  br i1 %28, label %29, label %20

29:
  %30 = mul nsw i64 %26, %16
  br label %31

31:
  %32 = phi i64 [ %16, %13 ], [ %9, %7 ], [ %30, %29 ]
  %33 = call i64 @llvm.umax.i64(i64 %32, i64 1)
  %34 = call ptr @malloc(i64 %33)
  store ptr %34, ptr %0, align 8
  %35 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %9, ptr %35, align 8
  %36 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %36, align 8
  %37 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %11, ptr %37, align 4
  %38 = getelementptr inbounds i8, ptr %1, i64 21
  %39 = load i8, ptr %38, align 1
  %40 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %39, ptr %40, align 1
  %41 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %41, align 2
  %42 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %42, align 1
  %43 = load i8, ptr %10, align 4
  %44 = icmp sgt i8 %43, 0
  br i1 %44, label %45, label %61

45:
  %46 = zext i8 %43 to i64
  %47 = getelementptr inbounds i8, ptr %0, i64 24
  br label %48

48:
  %49 = phi i64 [ 0, %45 ], [ %59, %48 ]
  %50 = phi i64 [ %9, %45 ], [ %58, %48 ]
  %51 = getelementptr inbounds %struct.dimension, ptr %47, i64 %49
  %52 = getelementptr inbounds %struct.dimension, ptr %1, i64 %49
  %53 = getelementptr inbounds i8, ptr %52, i64 32
  %54 = load i64, ptr %53, align 8
  store i64 1, ptr %51, align 8
  %55 = getelementptr inbounds i8, ptr %51, i64 8
  store i64 %54, ptr %55, align 8
  %56 = getelementptr inbounds i8, ptr %51, i64 16
  store i64 %50, ptr %56, align 8
  %57 = load i64, ptr %53, align 8
  %58 = mul nsw i64 %57, %50
  %59 = add nsw i64 %49, 1
  %60 = icmp eq i64 %59, %46
  br i1 %60, label %61, label %48

61:
  %62 = icmp sgt i32 %4, 1
  br i1 %62, label %63, label %75

63:
  %64 = add nsw i32 %4, -1
  %65 = zext i32 %64 to i64
  br label %66

66:
  %67 = phi i64 [ 0, %63 ], [ %73, %66 ]
  %68 = phi i64 [ 1, %63 ], [ %72, %66 ]
  %69 = getelementptr inbounds %struct.dimension, ptr %1, i64 %67
  %70 = getelementptr inbounds i8, ptr %69, i64 32
  %71 = load i64, ptr %70, align 8
  %72 = mul nsw i64 %71, %68
  %73 = add nsw i64 %67, 1
  %74 = icmp eq i64 %73, %65
  br i1 %74, label %75, label %66

75:
  %76 = phi i64 [ 1, %61 ], [ %72, %66 ]
  %77 = sext i32 %4 to i64
  %78 = getelementptr %struct.dimension, ptr %1, i64 %77
  %79 = getelementptr inbounds i8, ptr %78, i64 8
  %80 = load i64, ptr %79, align 8
  %81 = icmp eq i8 %43, 0
  br i1 %81, label %102, label %82

82:
  %83 = getelementptr inbounds i8, ptr %1, i64 32
  %84 = load i64, ptr %83, align 8
  %85 = icmp sgt i8 %43, 1
  br i1 %85, label %86, label %99

86:
  %87 = zext i8 %43 to i64
  br label %88

88:
  %89 = phi i64 [ 1, %86 ], [ %95, %88 ]
  %90 = phi i64 [ 1, %86 ], [ %94, %88 ]
  %91 = getelementptr inbounds %struct.dimension, ptr %1, i64 %89
  %92 = getelementptr inbounds i8, ptr %91, i64 32
  %93 = load i64, ptr %92, align 8
  %94 = mul nsw i64 %93, %90
  %95 = add nsw i64 %89, 1
  %96 = icmp eq i64 %95, %87
  br i1 %96, label %97, label %88

97:
  %98 = mul nsw i64 %94, %84
  br label %99

99:
  %100 = phi i64 [ %84, %82 ], [ %98, %97 ]
  %101 = icmp sgt i64 %100, 0
  br i1 %101, label %102, label %111

102:
  %103 = phi i64 [ %100, %99 ], [ 1, %75 ]
  %104 = mul nsw i64 %80, %76
  %105 = icmp eq ptr %2, null
  %106 = getelementptr inbounds i8, ptr %2, i64 20
  %107 = getelementptr inbounds i8, ptr %2, i64 8
  %108 = icmp eq i32 %5, 0
  %109 = icmp eq ptr %6, null
  %110 = getelementptr inbounds i8, ptr %6, i64 20
  br label %112

111:
  ret void

112:
  %113 = phi i64 [ 0, %102 ], [ %169, %163 ]
  %114 = sdiv i64 %113, %76
  %115 = srem i64 %114, %80
  %116 = srem i64 %113, %76
  %117 = sdiv i64 %113, %104
  %118 = mul nsw i64 %117, %76
  %119 = add nsw i64 %118, %116
  br i1 %105, label %139, label %120

120:
  %121 = load i8, ptr %106, align 4
  %122 = icmp eq i8 %121, 0
  %123 = select i1 %122, i64 0, i64 %119
  %124 = call ptr @gradir.library.fortran_nth(ptr %2, i64 %123)
  %125 = load i64, ptr %107, align 8
  switch i64 %125, label %133 [    i64 8, label %126    i64 4, label %128    i64 2, label %130  ]

126:
  %127 = load i64, ptr %124, align 8
  br label %139

128:
  %129 = load i32, ptr %124, align 4
  br label %136

130:
  %131 = load i16, ptr %124, align 2
  %132 = sext i16 %131 to i32
  br label %136

133:
  %134 = load i8, ptr %124, align 1
  %135 = sext i8 %134 to i32
  br label %136

136:
  %137 = phi i32 [ %129, %128 ], [ %132, %130 ], [ %135, %133 ]
  %138 = sext i32 %137 to i64
  br label %139

139:
  %140 = phi i64 [ %3, %112 ], [ %127, %126 ], [ %138, %136 ]
  %141 = add nsw i64 %140, %115
  br i1 %108, label %147, label %142

142:
  %143 = srem i64 %141, %80
  %144 = icmp slt i64 %143, 0
  %145 = select i1 %144, i64 %80, i64 0
  %146 = add nsw i64 %145, %143
  br label %147

147:
  %148 = phi i64 [ %146, %142 ], [ %141, %139 ]
  %149 = icmp sgt i64 %148, -1
  %150 = icmp slt i64 %148, %80
  %151 = select i1 %149, i1 %150, i1 false
  br i1 %151, label %152, label %157

152:
  %153 = sub nsw i64 %148, %115
  %154 = mul nsw i64 %153, %76
  %155 = add nsw i64 %154, %113
  %156 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %155)
  br label %163

157:
  br i1 %109, label %163, label %158

158:
  %159 = load i8, ptr %110, align 4
  %160 = icmp eq i8 %159, 0
  %161 = select i1 %160, i64 0, i64 %119
  %162 = call ptr @gradir.library.fortran_nth(ptr %6, i64 %161)
  br label %163

163:
  %164 = phi ptr [ %156, %152 ], [ %162, %158 ], [ null, %157 ]
  %165 = load ptr, ptr %0, align 8
  %166 = load i64, ptr %35, align 8
  %167 = mul i64 %166, %113
  %168 = getelementptr inbounds i8, ptr %165, i64 %167
  call void @gradir.library.fortran_copy(ptr %168, ptr %164, ptr %1)
  %169 = add nsw i64 %113, 1
  %170 = icmp eq i64 %169, %103
  br i1 %170, label %111, label %112
}
define internal void @gradir.body._FortranACshift(ptr %0, ptr %1, ptr %2, i32 %3, ptr %4, i32 %5) {
6:
  call void @gradir.library.fortran_shifted(ptr %0, ptr %1, ptr %2, i64 0, i32 %3, i32 1, ptr null)
  ret void
}
define internal void @gradir.body._FortranAEoshiftVector(ptr %0, ptr %1, i64 %2, ptr %3, ptr %4, i32 %5) {
6:
  call void @gradir.library.fortran_shifted(ptr %0, ptr %1, ptr null, i64 %2, i32 1, i32 0, ptr %3)
  ret void
}
define internal void @gradir.body._FortranAEoshift(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, i32 %6) {
7:
  call void @gradir.library.fortran_shifted(ptr %0, ptr %1, ptr %2, i64 0, i32 %4, i32 0, ptr %3)
  ret void
}
define internal void @gradir.body._FortranASpread(ptr %0, ptr %1, i32 %2, i64 %3, ptr %4, i32 %5) {
6:
  %7 = alloca %struct.descriptor, align 8
  %8 = call i64 @llvm.smax.i64(i64 %3, i64 0)
  %9 = getelementptr inbounds i8, ptr %1, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds i8, ptr %1, i64 21
  %12 = load i8, ptr %11, align 1
  %13 = getelementptr inbounds i8, ptr %1, i64 20
  %14 = load i8, ptr %13, align 4
  %15 = add i8 %14, 1
  %16 = icmp ult i8 %14, 127
  br i1 %16, label %17, label %22

17:
  %18 = zext i8 %15 to i64
  %19 = add nsw i32 %2, -1
  %20 = sext i32 %19 to i64
  %21 = zext i32 %19 to i64
  br label %106

22:
  %23 = icmp eq i8 %15, 0
  br i1 %23, label %42, label %24

24:
  %25 = getelementptr inbounds i8, ptr %7, i64 32
  %26 = load i64, ptr %25, align 8
  %27 = mul nsw i64 %26, %10
  %28 = icmp sgt i8 %15, 1
  br i1 %28, label %29, label %42

29:
  %30 = zext i8 %15 to i64
  br label %31

31:
  %32 = phi i64 [ 1, %29 ], [ %38, %31 ]
  %33 = phi i64 [ 1, %29 ], [ %37, %31 ]
  %34 = getelementptr inbounds %struct.dimension, ptr %7, i64 %32
  %35 = getelementptr inbounds i8, ptr %34, i64 32
  %36 = load i64, ptr %35, align 8
  %37 = mul nsw i64 %36, %33
  %38 = add nsw i64 %32, 1
  %39 = icmp eq i64 %38, %30
  br i1 %39, label %40, label %31

40:
  %41 = mul nsw i64 %37, %27
  br label %42

42:
  %43 = phi i64 [ %27, %24 ], [ %10, %22 ], [ %41, %40 ]
  %44 = call i64 @llvm.umax.i64(i64 %43, i64 1)
  %45 = call ptr @malloc(i64 %44)
  store ptr %45, ptr %0, align 8
  %46 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %10, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %15, ptr %48, align 4
  %49 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %12, ptr %49, align 1
  %50 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %50, align 2
  %51 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %51, align 1
  br i1 %16, label %52, label %67

52:
  %53 = zext i8 %15 to i64
  %54 = getelementptr inbounds i8, ptr %0, i64 24
  br label %55

55:
  %56 = phi i64 [ 0, %52 ], [ %65, %55 ]
  %57 = phi i64 [ %10, %52 ], [ %64, %55 ]
  %58 = getelementptr inbounds %struct.dimension, ptr %54, i64 %56
  %59 = getelementptr inbounds %struct.dimension, ptr %7, i64 %56
  %60 = getelementptr inbounds i8, ptr %59, i64 32
  %61 = load i64, ptr %60, align 8
  store i64 1, ptr %58, align 8
  %62 = getelementptr inbounds i8, ptr %58, i64 8
  store i64 %61, ptr %62, align 8
  %63 = getelementptr inbounds i8, ptr %58, i64 16
  store i64 %57, ptr %63, align 8
  %64 = mul nsw i64 %61, %57
  %65 = add nsw i64 %56, 1
  %66 = icmp eq i64 %65, %53
  br i1 %66, label %67, label %55

67:
  %68 = icmp sgt i32 %2, 1
  br i1 %68, label %69, label %81

69:
  %70 = add nsw i32 %2, -1
  %71 = zext i32 %70 to i64
  br label %72

72:
  %73 = phi i64 [ 0, %69 ], [ %79, %72 ]
  %74 = phi i64 [ 1, %69 ], [ %78, %72 ]
  %75 = getelementptr inbounds %struct.dimension, ptr %0, i64 %73
  %76 = getelementptr inbounds i8, ptr %75, i64 32
  %77 = load i64, ptr %76, align 8
  %78 = mul nsw i64 %77, %74
  %79 = add nsw i64 %73, 1
  %80 = icmp eq i64 %79, %71
  br i1 %80, label %81, label %72

81:
  %82 = phi i64 [ 1, %67 ], [ %78, %72 ]
  br i1 %23, label %103, label %83

83:
  %84 = getelementptr inbounds i8, ptr %0, i64 32
  %85 = load i64, ptr %84, align 8
  %86 = icmp sgt i8 %15, 1
  br i1 %86, label %87, label %100

87:
  %88 = zext i8 %15 to i64
  br label %89

89:
  %90 = phi i64 [ 1, %87 ], [ %96, %89 ]
  %91 = phi i64 [ 1, %87 ], [ %95, %89 ]
  %92 = getelementptr inbounds %struct.dimension, ptr %0, i64 %90
  %93 = getelementptr inbounds i8, ptr %92, i64 32
  %94 = load i64, ptr %93, align 8
  %95 = mul nsw i64 %94, %91
  %96 = add nsw i64 %90, 1
  %97 = icmp eq i64 %96, %88
  br i1 %97, label %98, label %89

98:
  %99 = mul nsw i64 %95, %85
  br label %100

100:
  %101 = phi i64 [ %85, %83 ], [ %99, %98 ]
  %102 = icmp sgt i64 %101, 0
  br i1 %102, label %103, label %124

103:
  %104 = phi i64 [ %101, %100 ], [ 1, %81 ]
  %105 = mul nsw i64 %82, %8
  br label %125

106:
  %107 = phi i64 [ 0, %17 ], [ %122, %118 ]
  %108 = icmp eq i64 %107, %21
  br i1 %108, label %118, label %109

109:
  %110 = icmp sge i64 %107, %20
  %111 = sext i1 %110 to i64
  %112 = add i64 %107, %111
  %113 = shl i64 %112, 32
  %114 = ashr exact i64 %113, 32
  %115 = getelementptr %struct.dimension, ptr %1, i64 %114
  %116 = getelementptr i8, ptr %115, i64 32
  %117 = load i64, ptr %116, align 8
  br label %118

118:
  %119 = phi i64 [ %117, %109 ], [ %8, %106 ]
  %120 = getelementptr inbounds %struct.dimension, ptr %7, i64 %107
  %121 = getelementptr inbounds i8, ptr %120, i64 32
  store i64 %119, ptr %121, align 8
  %122 = add nsw i64 %107, 1
  %123 = icmp eq i64 %122, %18
  br i1 %123, label %22, label %106

124:
  ret void

125:
  %126 = phi i64 [ 0, %103 ], [ %136, %125 ]
  %127 = load ptr, ptr %0, align 8
  %128 = load i64, ptr %46, align 8
  %129 = mul i64 %128, %126
  %130 = getelementptr inbounds i8, ptr %127, i64 %129
  %131 = srem i64 %126, %82
  %132 = sdiv i64 %126, %105
  %133 = mul nsw i64 %132, %82
  %134 = add nsw i64 %133, %131
  %135 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %134)
  call void @gradir.library.fortran_copy(ptr %130, ptr %135, ptr %1)
  %136 = add nsw i64 %126, 1
  %137 = icmp eq i64 %136, %104
  br i1 %137, label %124, label %125
}
define internal void @gradir.body._FortranAPack(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, i32 %5) {
6:
  %7 = getelementptr inbounds i8, ptr %1, i64 20
  %8 = load i8, ptr %7, align 4
  %9 = icmp eq i8 %8, 0
  br i1 %9, label %30, label %10

10:
  %11 = getelementptr inbounds i8, ptr %1, i64 32
  %12 = load i64, ptr %11, align 8
  %13 = icmp sgt i8 %8, 1
  br i1 %13, label %14, label %27

14:
  %15 = zext i8 %8 to i64
  br label %16

16:
  %17 = phi i64 [ 1, %14 ], [ %23, %16 ]
  %18 = phi i64 [ 1, %14 ], [ %22, %16 ]
  %19 = getelementptr inbounds %struct.dimension, ptr %1, i64 %17
  %20 = getelementptr inbounds i8, ptr %19, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = mul nsw i64 %21, %18
  %23 = add nsw i64 %17, 1
  %24 = icmp eq i64 %23, %15
  br i1 %24, label %25, label %16

25:
  %26 = mul nsw i64 %22, %12
  br label %27

27:
  %28 = phi i64 [ %12, %10 ], [ %26, %25 ]
  %29 = icmp sgt i64 %28, 0
  br i1 %29, label %30, label %32

30:
  %31 = phi i64 [ %28, %27 ], [ 1, %6 ]
  br label %41

32:
  %33 = phi i1 [ false, %27 ], [ true, %41 ]
  %34 = phi i64 [ %28, %27 ], [ %31, %41 ]
  %35 = phi i64 [ 0, %27 ], [ %46, %41 ]
  %36 = getelementptr inbounds i8, ptr %1, i64 8
  %37 = load i64, ptr %36, align 8
  %38 = getelementptr inbounds i8, ptr %1, i64 21
  %39 = load i8, ptr %38, align 1
  %40 = icmp ne ptr %3, null
  br i1 %40, label %49, label %52

41:
  %42 = phi i64 [ %47, %41 ], [ 0, %30 ]
  %43 = phi i64 [ %46, %41 ], [ 0, %30 ]
  %44 = call i32 @gradir.library.fortran_is_true(ptr %2, i64 %42)
  %45 = zext i32 %44 to i64
  %46 = add nsw i64 %43, %45
  %47 = add nsw i64 %42, 1
  %48 = icmp eq i64 %47, %31
  br i1 %48, label %32, label %41

49:
  %50 = getelementptr inbounds i8, ptr %3, i64 32
  %51 = load i64, ptr %50, align 8
  br label %52

52:
  %53 = phi i64 [ %51, %49 ], [ %35, %32 ]
  %54 = mul nsw i64 %53, %37
  %55 = call i64 @llvm.umax.i64(i64 %54, i64 1)
  %56 = call ptr @malloc(i64 %55)
  store ptr %56, ptr %0, align 8
  %57 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %37, ptr %57, align 8
  %58 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %58, align 8
  %59 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 1, ptr %59, align 4
  %60 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %39, ptr %60, align 1
  %61 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %61, align 2
  %62 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %62, align 1
  %63 = getelementptr inbounds i8, ptr %0, i64 24
  store i64 1, ptr %63, align 8
  %64 = getelementptr inbounds i8, ptr %0, i64 32
  store i64 %53, ptr %64, align 8
  %65 = getelementptr inbounds i8, ptr %0, i64 40
  store i64 %37, ptr %65, align 8
  br i1 %33, label %70, label %66

66:
  %67 = phi i64 [ 0, %52 ], [ %83, %82 ]
  %68 = icmp slt i64 %67, %53
  %69 = select i1 %40, i1 %68, i1 false
  br i1 %69, label %86, label %95

70:
  %71 = phi i64 [ %84, %82 ], [ 0, %52 ]
  %72 = phi i64 [ %83, %82 ], [ 0, %52 ]
  %73 = call i32 @gradir.library.fortran_is_true(ptr %2, i64 %71)
  %74 = icmp eq i32 %73, 0
  br i1 %74, label %82, label %75

75:
  %76 = load ptr, ptr %0, align 8
  %77 = add nsw i64 %72, 1
  %78 = load i64, ptr %57, align 8
  %79 = mul i64 %78, %72
  %80 = getelementptr inbounds i8, ptr %76, i64 %79
  %81 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %71)
  call void @gradir.library.fortran_copy(ptr %80, ptr %81, ptr %1)
  br label %82

82:
  %83 = phi i64 [ %77, %75 ], [ %72, %70 ]
  %84 = add nsw i64 %71, 1
  %85 = icmp eq i64 %84, %34
  br i1 %85, label %66, label %70

86:
  %87 = phi i64 [ %93, %86 ], [ %67, %66 ]
  %88 = load ptr, ptr %0, align 8
  %89 = load i64, ptr %57, align 8
  %90 = mul i64 %89, %87
  %91 = getelementptr inbounds i8, ptr %88, i64 %90
  %92 = call ptr @gradir.library.fortran_nth(ptr %3, i64 %87)
  call void @gradir.library.fortran_copy(ptr %91, ptr %92, ptr %1)
  %93 = add i64 %87, 1
  %94 = icmp eq i64 %93, %53
  br i1 %94, label %95, label %86

95:
  ret void
}
define internal i32 @gradir.library.fortran_is_true(ptr %0, i64 %1) {
2:
  %3 = icmp eq ptr %0, null
  br i1 %3, label %74, label %4

4:
  %5 = getelementptr inbounds i8, ptr %0, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp eq i8 %6, 0
  br i1 %7, label %8, label %23

8:
  %9 = load ptr, ptr %0, align 8
  %10 = icmp eq ptr %9, null
  br i1 %10, label %74, label %11

11:
  %12 = getelementptr inbounds i8, ptr %0, i64 8
  %13 = load i64, ptr %12, align 8
  switch i64 %13, label %20 [    i64 8, label %14    i64 4, label %17  ]

14:
  %15 = load i64, ptr %9, align 8
  %16 = icmp ne i64 %15, 0
  br label %74

17:
  %18 = load i32, ptr %9, align 4
  %19 = icmp ne i32 %18, 0
  br label %74

20:
  %21 = load i8, ptr %9, align 1
  %22 = icmp ne i8 %21, 0
  br label %74

23:
  %24 = getelementptr inbounds i8, ptr %0, i64 32
  %25 = load i64, ptr %24, align 8
  %26 = sdiv i64 %1, %25
  %27 = srem i64 %1, %25
  %28 = load ptr, ptr %0, align 8
  %29 = icmp eq ptr %28, null
  br i1 %29, label %74, label %30

30:
  %31 = icmp slt i8 %6, 3
  br i1 %31, label %35, label %32

32:
  %33 = getelementptr inbounds i8, ptr %0, i64 24
  %34 = zext i8 %6 to i64
  br label %41

35:
  %36 = icmp eq i8 %6, 2
  br i1 %36, label %37, label %56

37:
  %38 = getelementptr inbounds i8, ptr %0, i64 64
  %39 = load i64, ptr %38, align 8
  %40 = mul nsw i64 %39, %26
  br label %56

41:
  %42 = phi i64 [ 1, %32 ], [ %54, %41 ]
  %43 = phi i64 [ 0, %32 ], [ %52, %41 ]
  %44 = phi i64 [ %26, %32 ], [ %53, %41 ]
  %45 = getelementptr inbounds %struct.dimension, ptr %33, i64 %42
  %46 = getelementptr inbounds i8, ptr %45, i64 8
  %47 = load i64, ptr %46, align 8
  %48 = srem i64 %44, %47
  %49 = getelementptr inbounds i8, ptr %45, i64 16
  %50 = load i64, ptr %49, align 8
  %51 = mul nsw i64 %50, %48
  %52 = add nsw i64 %51, %43
  %53 = sdiv i64 %44, %47
  %54 = add nsw i64 %42, 1
  %55 = icmp eq i64 %54, %34
  br i1 %55, label %56, label %41

56:
  %57 = phi i64 [ 0, %35 ], [ %40, %37 ], [ %52, %41 ]
  %58 = getelementptr inbounds i8, ptr %0, i64 40
  %59 = load i64, ptr %58, align 8
  %60 = mul nsw i64 %59, %27
  %61 = getelementptr i8, ptr %28, i64 %57
  %62 = getelementptr i8, ptr %61, i64 %60
  %63 = getelementptr inbounds i8, ptr %0, i64 8
  %64 = load i64, ptr %63, align 8
  switch i64 %64, label %71 [    i64 8, label %65    i64 4, label %68  ]

65:
  %66 = load i64, ptr %62, align 8
  %67 = icmp ne i64 %66, 0
  br label %74

68:
  %69 = load i32, ptr %62, align 4
  %70 = icmp ne i32 %69, 0
  br label %74

71:
  %72 = load i8, ptr %62, align 1
  %73 = icmp ne i8 %72, 0
  br label %74

74:
  %75 = phi i1 [ true, %23 ], [ true, %2 ], [ true, %8 ], [ %22, %20 ], [ %16, %14 ], [ %19, %17 ], [ %67, %65 ], [ %70, %68 ], [ %73, %71 ]
  %76 = zext i1 %75 to i32
  ret i32 %76
}
define internal void @gradir.body._FortranAUnpack(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, i32 %5) {
6:
  %7 = alloca %struct.descriptor, align 8
  %8 = getelementptr inbounds i8, ptr %1, i64 8
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds i8, ptr %1, i64 21
  %11 = load i8, ptr %10, align 1
  %12 = getelementptr inbounds i8, ptr %2, i64 20
  %13 = load i8, ptr %12, align 4
  %14 = icmp sgt i8 %13, 0
  br i1 %14, label %15, label %17

15:
  %16 = zext i8 %13 to i64
  br label %91

17:
  %18 = icmp eq i8 %13, 0
  br i1 %18, label %41, label %19

19:
  %20 = getelementptr inbounds i8, ptr %7, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = mul nsw i64 %21, %9
  br label %41

23:
  %24 = getelementptr inbounds i8, ptr %7, i64 32
  %25 = load i64, ptr %24, align 8
  %26 = mul nsw i64 %25, %9
  %27 = icmp eq i8 %13, 1
  br i1 %27, label %41, label %28

28:
  %29 = zext i8 %13 to i64
  br label %30

30:
  %31 = phi i64 [ 1, %28 ], [ %37, %30 ]
  %32 = phi i64 [ 1, %28 ], [ %36, %30 ]
  %33 = getelementptr inbounds %struct.dimension, ptr %7, i64 %31
  %34 = getelementptr inbounds i8, ptr %33, i64 32
  %35 = load i64, ptr %34, align 8
  %36 = mul nsw i64 %35, %32
  %37 = add nsw i64 %31, 1
  %38 = icmp eq i64 %37, %29
  br i1 %38, label %39, label %30

39:
  %40 = mul nsw i64 %36, %26
  br label %41

41:
  %42 = phi i64 [ %26, %23 ], [ %9, %17 ], [ %40, %39 ], [ %22, %19 ]
  %43 = call i64 @llvm.umax.i64(i64 %42, i64 1)
  %44 = call ptr @malloc(i64 %43)
  store ptr %44, ptr %0, align 8
  %45 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %9, ptr %45, align 8
  %46 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %13, ptr %47, align 4
  %48 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %11, ptr %48, align 1
  %49 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %49, align 2
  %50 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %50, align 1
  br i1 %14, label %51, label %66

51:
  %52 = zext i8 %13 to i64
  %53 = getelementptr inbounds i8, ptr %0, i64 24
  br label %54

54:
  %55 = phi i64 [ 0, %51 ], [ %64, %54 ]
  %56 = phi i64 [ %9, %51 ], [ %63, %54 ]
  %57 = getelementptr inbounds %struct.dimension, ptr %53, i64 %55
  %58 = getelementptr inbounds %struct.dimension, ptr %7, i64 %55
  %59 = getelementptr inbounds i8, ptr %58, i64 32
  %60 = load i64, ptr %59, align 8
  store i64 1, ptr %57, align 8
  %61 = getelementptr inbounds i8, ptr %57, i64 8
  store i64 %60, ptr %61, align 8
  %62 = getelementptr inbounds i8, ptr %57, i64 16
  store i64 %56, ptr %62, align 8
  %63 = mul nsw i64 %60, %56
  %64 = add nsw i64 %55, 1
  %65 = icmp eq i64 %64, %52
  br i1 %65, label %66, label %54

66:
  %67 = load i8, ptr %12, align 4
  %68 = icmp eq i8 %67, 0
  br i1 %68, label %89, label %69

69:
  %70 = getelementptr inbounds i8, ptr %2, i64 32
  %71 = load i64, ptr %70, align 8
  %72 = icmp sgt i8 %67, 1
  br i1 %72, label %73, label %86

73:
  %74 = zext i8 %67 to i64
  br label %75

75:
  %76 = phi i64 [ 1, %73 ], [ %82, %75 ]
  %77 = phi i64 [ 1, %73 ], [ %81, %75 ]
  %78 = getelementptr inbounds %struct.dimension, ptr %2, i64 %76
  %79 = getelementptr inbounds i8, ptr %78, i64 32
  %80 = load i64, ptr %79, align 8
  %81 = mul nsw i64 %80, %77
  %82 = add nsw i64 %76, 1
  %83 = icmp eq i64 %82, %74
  br i1 %83, label %84, label %75

84:
  %85 = mul nsw i64 %81, %71
  br label %86

86:
  %87 = phi i64 [ %71, %69 ], [ %85, %84 ]
  %88 = icmp sgt i64 %87, 0
  br i1 %88, label %89, label %100

89:
  %90 = phi i64 [ %87, %86 ], [ 1, %66 ]
  br label %101

91:
  %92 = phi i64 [ 0, %15 ], [ %98, %91 ]
  %93 = getelementptr inbounds %struct.dimension, ptr %2, i64 %92
  %94 = getelementptr inbounds i8, ptr %93, i64 32
  %95 = load i64, ptr %94, align 8
  %96 = getelementptr inbounds %struct.dimension, ptr %7, i64 %92
  %97 = getelementptr inbounds i8, ptr %96, i64 32
  store i64 %95, ptr %97, align 8
  %98 = add nsw i64 %92, 1
  %99 = icmp eq i64 %98, %16
  br i1 %99, label %23, label %91

100:
  ret void

101:
  %102 = phi i64 [ %118, %115 ], [ 0, %89 ]
  %103 = phi i64 [ %116, %115 ], [ 0, %89 ]
  %104 = load ptr, ptr %0, align 8
  %105 = load i64, ptr %45, align 8
  %106 = mul i64 %105, %102
  %107 = getelementptr inbounds i8, ptr %104, i64 %106
  %108 = call i32 @gradir.library.fortran_is_true(ptr %2, i64 %102)
  %109 = icmp eq i32 %108, 0
  br i1 %109, label %113, label %110

110:
  %111 = add nsw i64 %103, 1
  %112 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %103)
  br label %115

113:
  %114 = call ptr @gradir.library.fortran_nth(ptr %3, i64 %102)
  br label %115

115:
  %116 = phi i64 [ %111, %110 ], [ %103, %113 ]
  %117 = phi ptr [ %112, %110 ], [ %114, %113 ]
  call void @gradir.library.fortran_copy(ptr %107, ptr %117, ptr %1)
  %118 = add nsw i64 %102, 1
  %119 = icmp eq i64 %118, %90
  br i1 %119, label %100, label %101
}
define internal void @gradir.body._FortranASumDim(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5) {
6:
  %7 = call i64 @gradir.library.reduced(ptr %0, ptr %1, i32 %2)
  %8 = icmp sgt i32 %2, 1
  br i1 %8, label %9, label %21

9:
  %10 = add nsw i32 %2, -1
  %11 = zext i32 %10 to i64
  br label %12

12:
  %13 = phi i64 [ 0, %9 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %9 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %1, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %21, label %12

21:
  %22 = phi i64 [ 1, %6 ], [ %18, %12 ]
  %23 = sext i32 %2 to i64
  %24 = getelementptr %struct.dimension, ptr %1, i64 %23
  %25 = getelementptr inbounds i8, ptr %24, i64 8
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds i8, ptr %1, i64 21
  %28 = load i8, ptr %27, align 1
  switch i8 %28, label %93 [    i8 28, label %33    i8 27, label %29  ]

29:
  %30 = icmp sgt i64 %7, 0
  br i1 %30, label %31, label %168

31:
  %32 = icmp sgt i64 %26, 0
  br label %65

33:
  %34 = icmp sgt i64 %7, 0
  br i1 %34, label %35, label %168

35:
  %36 = icmp sgt i64 %26, 0
  br label %37

37:
  %38 = phi i64 [ 0, %35 ], [ %47, %43 ]
  br i1 %36, label %39, label %43

39:
  %40 = srem i64 %38, %22
  %41 = sdiv i64 %38, %22
  %42 = mul nsw i64 %41, %26
  br label %49

43:
  %44 = phi double [ 0.000000e+00, %37 ], [ %62, %61 ]
  %45 = load ptr, ptr %0, align 8
  %46 = getelementptr inbounds double, ptr %45, i64 %38
  store double %44, ptr %46, align 8
  %47 = add nsw i64 %38, 1
  %48 = icmp eq i64 %47, %7
  br i1 %48, label %168, label %37

49:
  %50 = phi double [ 0.000000e+00, %39 ], [ %62, %61 ]
  %51 = phi i64 [ 0, %39 ], [ %63, %61 ]
  %52 = add nsw i64 %42, %51
  %53 = mul nsw i64 %52, %22
  %54 = add nsw i64 %53, %40
  %55 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %54)
  %56 = icmp eq i32 %55, 0
  br i1 %56, label %61, label %57

57:
  %58 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %54)
  %59 = load double, ptr %58, align 8
  %60 = fadd double %50, %59
  br label %61

61:
  %62 = phi double [ %60, %57 ], [ %50, %49 ]
  %63 = add nsw i64 %51, 1
  %64 = icmp eq i64 %63, %26
  br i1 %64, label %43, label %49

65:
  %66 = phi i64 [ 0, %31 ], [ %75, %71 ]
  br i1 %32, label %67, label %71

67:
  %68 = srem i64 %66, %22
  %69 = sdiv i64 %66, %22
  %70 = mul nsw i64 %69, %26
  br label %77

71:
  %72 = phi float [ 0.000000e+00, %65 ], [ %90, %89 ]
  %73 = load ptr, ptr %0, align 8
  %74 = getelementptr inbounds float, ptr %73, i64 %66
  store float %72, ptr %74, align 4
  %75 = add nsw i64 %66, 1
  %76 = icmp eq i64 %75, %7
  br i1 %76, label %168, label %65

77:
  %78 = phi float [ 0.000000e+00, %67 ], [ %90, %89 ]
  %79 = phi i64 [ 0, %67 ], [ %91, %89 ]
  %80 = add nsw i64 %70, %79
  %81 = mul nsw i64 %80, %22
  %82 = add nsw i64 %81, %68
  %83 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %82)
  %84 = icmp eq i32 %83, 0
  br i1 %84, label %89, label %85

85:
  %86 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %82)
  %87 = load float, ptr %86, align 4
  %88 = fadd float %78, %87
  br label %89

89:
  %90 = phi float [ %88, %85 ], [ %78, %77 ]
  %91 = add nsw i64 %79, 1
  %92 = icmp eq i64 %91, %26
  br i1 %92, label %71, label %77

93:
  %94 = add i8 %28, -1
  %95 = icmp ult i8 %94, 24
  %96 = icmp eq i8 %28, 39
  %97 = or i1 %96, %95
  br i1 %97, label %98, label %167

98:
  %99 = getelementptr inbounds i8, ptr %1, i64 8
  %100 = load i64, ptr %99, align 8
  %101 = icmp ugt i64 %100, 8
  br i1 %101, label %167, label %102

102:
  switch i64 %100, label %167 [    i64 8, label %103    i64 4, label %135  ]

103:
  %104 = icmp sgt i64 %7, 0
  br i1 %104, label %105, label %168

105:
  %106 = icmp sgt i64 %26, 0
  br label %107

107:
  %108 = phi i64 [ 0, %105 ], [ %117, %113 ]
  br i1 %106, label %109, label %113

109:
  %110 = srem i64 %108, %22
  %111 = sdiv i64 %108, %22
  %112 = mul nsw i64 %111, %26
  br label %119

113:
  %114 = phi i64 [ 0, %107 ], [ %132, %131 ]
  %115 = load ptr, ptr %0, align 8
  %116 = getelementptr inbounds i64, ptr %115, i64 %108
  store i64 %114, ptr %116, align 8
  %117 = add nsw i64 %108, 1
  %118 = icmp eq i64 %117, %7
  br i1 %118, label %168, label %107

119:
  %120 = phi i64 [ 0, %109 ], [ %133, %131 ]
  %121 = phi i64 [ 0, %109 ], [ %132, %131 ]
  %122 = add nsw i64 %112, %120
  %123 = mul nsw i64 %122, %22
  %124 = add nsw i64 %123, %110
  %125 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %124)
  %126 = icmp eq i32 %125, 0
  br i1 %126, label %131, label %127

127:
  %128 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %124)
  %129 = load i64, ptr %128, align 8
  %130 = add nsw i64 %129, %121
  br label %131

131:
  %132 = phi i64 [ %130, %127 ], [ %121, %119 ]
  %133 = add nsw i64 %120, 1
  %134 = icmp eq i64 %133, %26
  br i1 %134, label %113, label %119

135:
  %136 = icmp sgt i64 %7, 0
  br i1 %136, label %137, label %168

137:
  %138 = icmp sgt i64 %26, 0
  br label %139

139:
  %140 = phi i64 [ 0, %137 ], [ %149, %145 ]
  br i1 %138, label %141, label %145

141:
  %142 = srem i64 %140, %22
  %143 = sdiv i64 %140, %22
  %144 = mul nsw i64 %143, %26
  br label %151

145:
  %146 = phi i32 [ 0, %139 ], [ %164, %163 ]
  %147 = load ptr, ptr %0, align 8
  %148 = getelementptr inbounds i32, ptr %147, i64 %140
  store i32 %146, ptr %148, align 4
  %149 = add nsw i64 %140, 1
  %150 = icmp eq i64 %149, %7
  br i1 %150, label %168, label %139

151:
  %152 = phi i64 [ 0, %141 ], [ %165, %163 ]
  %153 = phi i32 [ 0, %141 ], [ %164, %163 ]
  %154 = add nsw i64 %144, %152
  %155 = mul nsw i64 %154, %22
  %156 = add nsw i64 %155, %142
  %157 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %156)
  %158 = icmp eq i32 %157, 0
  br i1 %158, label %163, label %159

159:
  %160 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %156)
  %161 = load i32, ptr %160, align 4
  %162 = add nsw i32 %161, %153
  br label %163

163:
  %164 = phi i32 [ %162, %159 ], [ %153, %151 ]
  %165 = add nsw i64 %152, 1
  %166 = icmp eq i64 %165, %26
  br i1 %166, label %145, label %151

167:
  call void @_FortranAElementsOfAnotherKind()
  br label %168

168:
  ret void
}
define internal i64 @gradir.library.reduced(ptr %0, ptr %1, i32 %2) {
3:
  %4 = alloca %struct.descriptor, align 8
  %5 = getelementptr inbounds i8, ptr %1, i64 8
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds i8, ptr %1, i64 21
  %8 = load i8, ptr %7, align 1
  %9 = getelementptr inbounds i8, ptr %1, i64 20
  %10 = load i8, ptr %9, align 4
  %11 = add i8 %10, -1
  %12 = icmp sgt i8 %11, 0
  br i1 %12, label %13, label %17

13:
  %14 = zext i8 %11 to i64
  %15 = add nsw i32 %2, -1
  %16 = sext i32 %15 to i64
  br label %88

17:
  %18 = icmp eq i8 %11, 0
  br i1 %18, label %41, label %19

19:
  %20 = getelementptr inbounds i8, ptr %4, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = mul nsw i64 %21, %6
  br label %41

23:
  %24 = getelementptr inbounds i8, ptr %4, i64 32
  %25 = load i64, ptr %24, align 8
  %26 = mul nsw i64 %25, %6
  %27 = icmp eq i8 %11, 1
  br i1 %27, label %41, label %28

28:
  %29 = zext i8 %11 to i64
  br label %30

30:
  %31 = phi i64 [ 1, %28 ], [ %37, %30 ]
  %32 = phi i64 [ 1, %28 ], [ %36, %30 ]
  %33 = getelementptr inbounds %struct.dimension, ptr %4, i64 %31
  %34 = getelementptr inbounds i8, ptr %33, i64 32
  %35 = load i64, ptr %34, align 8
  %36 = mul nsw i64 %35, %32
  %37 = add nsw i64 %31, 1
  %38 = icmp eq i64 %37, %29
  br i1 %38, label %39, label %30

39:
  %40 = mul nsw i64 %36, %26
  br label %41

41:
  %42 = phi i1 [ false, %23 ], [ true, %17 ], [ false, %39 ], [ false, %19 ]
  %43 = phi i64 [ %26, %23 ], [ %6, %17 ], [ %40, %39 ], [ %22, %19 ]
  %44 = call i64 @llvm.umax.i64(i64 %43, i64 1)
  %45 = call ptr @malloc(i64 %44)
  store ptr %45, ptr %0, align 8
  %46 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %6, ptr %46, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %11, ptr %48, align 4
  %49 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %8, ptr %49, align 1
  %50 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %50, align 2
  %51 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %51, align 1
  br i1 %12, label %52, label %67

52:
  %53 = zext i8 %11 to i64
  %54 = getelementptr inbounds i8, ptr %0, i64 24
  br label %55

55:
  %56 = phi i64 [ 0, %52 ], [ %65, %55 ]
  %57 = phi i64 [ %6, %52 ], [ %64, %55 ]
  %58 = getelementptr inbounds %struct.dimension, ptr %54, i64 %56
  %59 = getelementptr inbounds %struct.dimension, ptr %4, i64 %56
  %60 = getelementptr inbounds i8, ptr %59, i64 32
  %61 = load i64, ptr %60, align 8
  store i64 1, ptr %58, align 8
  %62 = getelementptr inbounds i8, ptr %58, i64 8
  store i64 %61, ptr %62, align 8
  %63 = getelementptr inbounds i8, ptr %58, i64 16
  store i64 %57, ptr %63, align 8
  %64 = mul nsw i64 %61, %57
  %65 = add nsw i64 %56, 1
  %66 = icmp eq i64 %65, %53
  br i1 %66, label %71, label %55

67:
  br i1 %42, label %86, label %68

68:
  %69 = getelementptr inbounds i8, ptr %0, i64 32
  %70 = load i64, ptr %69, align 8
  br label %86

71:
  %72 = getelementptr inbounds i8, ptr %0, i64 32
  %73 = load i64, ptr %72, align 8
  %74 = icmp eq i8 %11, 1
  br i1 %74, label %86, label %75

75:
  %76 = phi i64 [ %82, %75 ], [ 1, %71 ]
  %77 = phi i64 [ %81, %75 ], [ 1, %71 ]
  %78 = getelementptr inbounds %struct.dimension, ptr %0, i64 %76
  %79 = getelementptr inbounds i8, ptr %78, i64 32
  %80 = load i64, ptr %79, align 8
  %81 = mul nsw i64 %80, %77
  %82 = add nsw i64 %76, 1
  %83 = icmp eq i64 %82, %53
  br i1 %83, label %84, label %75

84:
  %85 = mul nsw i64 %81, %73
  br label %86

86:
  %87 = phi i64 [ %73, %71 ], [ 1, %67 ], [ %85, %84 ], [ %70, %68 ]
  ret i64 %87

88:
  %89 = phi i64 [ 0, %13 ], [ %91, %88 ]
  %90 = icmp slt i64 %89, %16
  %91 = add nsw i64 %89, 1
  %92 = select i1 %90, i64 %89, i64 %91
  %93 = and i64 %92, 4294967295
  %94 = getelementptr inbounds %struct.dimension, ptr %1, i64 %93
  %95 = getelementptr inbounds i8, ptr %94, i64 32
  %96 = load i64, ptr %95, align 8
  %97 = getelementptr inbounds %struct.dimension, ptr %4, i64 %89
  %98 = getelementptr inbounds i8, ptr %97, i64 32
  store i64 %96, ptr %98, align 8
  %99 = icmp eq i64 %91, %14
  br i1 %99, label %23, label %88
}
declare void @_FortranAElementsOfAnotherKind()
define internal void @gradir.body._FortranAProductDim(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5) {
6:
  %7 = call i64 @gradir.library.reduced(ptr %0, ptr %1, i32 %2)
  %8 = icmp sgt i32 %2, 1
  br i1 %8, label %9, label %21

9:
  %10 = add nsw i32 %2, -1
  %11 = zext i32 %10 to i64
  br label %12

12:
  %13 = phi i64 [ 0, %9 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %9 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %1, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %21, label %12

21:
  %22 = phi i64 [ 1, %6 ], [ %18, %12 ]
  %23 = sext i32 %2 to i64
  %24 = getelementptr %struct.dimension, ptr %1, i64 %23
  %25 = getelementptr inbounds i8, ptr %24, i64 8
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds i8, ptr %1, i64 21
  %28 = load i8, ptr %27, align 1
  switch i8 %28, label %93 [    i8 28, label %33    i8 27, label %29  ]

29:
  %30 = icmp sgt i64 %7, 0
  br i1 %30, label %31, label %168

31:
  %32 = icmp sgt i64 %26, 0
  br label %65

33:
  %34 = icmp sgt i64 %7, 0
  br i1 %34, label %35, label %168

35:
  %36 = icmp sgt i64 %26, 0
  br label %37

37:
  %38 = phi i64 [ 0, %35 ], [ %47, %43 ]
  br i1 %36, label %39, label %43

39:
  %40 = srem i64 %38, %22
  %41 = sdiv i64 %38, %22
  %42 = mul nsw i64 %41, %26
  br label %49

43:
  %44 = phi double [ 1.000000e+00, %37 ], [ %62, %61 ]
  %45 = load ptr, ptr %0, align 8
  %46 = getelementptr inbounds double, ptr %45, i64 %38
  store double %44, ptr %46, align 8
  %47 = add nsw i64 %38, 1
  %48 = icmp eq i64 %47, %7
  br i1 %48, label %168, label %37

49:
  %50 = phi double [ 1.000000e+00, %39 ], [ %62, %61 ]
  %51 = phi i64 [ 0, %39 ], [ %63, %61 ]
  %52 = add nsw i64 %42, %51
  %53 = mul nsw i64 %52, %22
  %54 = add nsw i64 %53, %40
  %55 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %54)
  %56 = icmp eq i32 %55, 0
  br i1 %56, label %61, label %57

57:
  %58 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %54)
  %59 = load double, ptr %58, align 8
  %60 = fmul double %50, %59
  br label %61

61:
  %62 = phi double [ %60, %57 ], [ %50, %49 ]
  %63 = add nsw i64 %51, 1
  %64 = icmp eq i64 %63, %26
  br i1 %64, label %43, label %49

65:
  %66 = phi i64 [ 0, %31 ], [ %75, %71 ]
  br i1 %32, label %67, label %71

67:
  %68 = srem i64 %66, %22
  %69 = sdiv i64 %66, %22
  %70 = mul nsw i64 %69, %26
  br label %77

71:
  %72 = phi float [ 1.000000e+00, %65 ], [ %90, %89 ]
  %73 = load ptr, ptr %0, align 8
  %74 = getelementptr inbounds float, ptr %73, i64 %66
  store float %72, ptr %74, align 4
  %75 = add nsw i64 %66, 1
  %76 = icmp eq i64 %75, %7
  br i1 %76, label %168, label %65

77:
  %78 = phi float [ 1.000000e+00, %67 ], [ %90, %89 ]
  %79 = phi i64 [ 0, %67 ], [ %91, %89 ]
  %80 = add nsw i64 %70, %79
  %81 = mul nsw i64 %80, %22
  %82 = add nsw i64 %81, %68
  %83 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %82)
  %84 = icmp eq i32 %83, 0
  br i1 %84, label %89, label %85

85:
  %86 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %82)
  %87 = load float, ptr %86, align 4
  %88 = fmul float %78, %87
  br label %89

89:
  %90 = phi float [ %88, %85 ], [ %78, %77 ]
  %91 = add nsw i64 %79, 1
  %92 = icmp eq i64 %91, %26
  br i1 %92, label %71, label %77

93:
  %94 = add i8 %28, -1
  %95 = icmp ult i8 %94, 24
  %96 = icmp eq i8 %28, 39
  %97 = or i1 %96, %95
  br i1 %97, label %98, label %167

98:
  %99 = getelementptr inbounds i8, ptr %1, i64 8
  %100 = load i64, ptr %99, align 8
  %101 = icmp ugt i64 %100, 8
  br i1 %101, label %167, label %102

102:
  switch i64 %100, label %167 [    i64 8, label %103    i64 4, label %135  ]

103:
  %104 = icmp sgt i64 %7, 0
  br i1 %104, label %105, label %168

105:
  %106 = icmp sgt i64 %26, 0
  br label %107

107:
  %108 = phi i64 [ 0, %105 ], [ %117, %113 ]
  br i1 %106, label %109, label %113

109:
  %110 = srem i64 %108, %22
  %111 = sdiv i64 %108, %22
  %112 = mul nsw i64 %111, %26
  br label %119

113:
  %114 = phi i64 [ 1, %107 ], [ %132, %131 ]
  %115 = load ptr, ptr %0, align 8
  %116 = getelementptr inbounds i64, ptr %115, i64 %108
  store i64 %114, ptr %116, align 8
  %117 = add nsw i64 %108, 1
  %118 = icmp eq i64 %117, %7
  br i1 %118, label %168, label %107

119:
  %120 = phi i64 [ 0, %109 ], [ %133, %131 ]
  %121 = phi i64 [ 1, %109 ], [ %132, %131 ]
  %122 = add nsw i64 %112, %120
  %123 = mul nsw i64 %122, %22
  %124 = add nsw i64 %123, %110
  %125 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %124)
  %126 = icmp eq i32 %125, 0
  br i1 %126, label %131, label %127

127:
  %128 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %124)
  %129 = load i64, ptr %128, align 8
  %130 = mul nsw i64 %129, %121
  br label %131

131:
  %132 = phi i64 [ %130, %127 ], [ %121, %119 ]
  %133 = add nsw i64 %120, 1
  %134 = icmp eq i64 %133, %26
  br i1 %134, label %113, label %119

135:
  %136 = icmp sgt i64 %7, 0
  br i1 %136, label %137, label %168

137:
  %138 = icmp sgt i64 %26, 0
  br label %139

139:
  %140 = phi i64 [ 0, %137 ], [ %149, %145 ]
  br i1 %138, label %141, label %145

141:
  %142 = srem i64 %140, %22
  %143 = sdiv i64 %140, %22
  %144 = mul nsw i64 %143, %26
  br label %151

145:
  %146 = phi i32 [ 1, %139 ], [ %164, %163 ]
  %147 = load ptr, ptr %0, align 8
  %148 = getelementptr inbounds i32, ptr %147, i64 %140
  store i32 %146, ptr %148, align 4
  %149 = add nsw i64 %140, 1
  %150 = icmp eq i64 %149, %7
  br i1 %150, label %168, label %139

151:
  %152 = phi i64 [ 0, %141 ], [ %165, %163 ]
  %153 = phi i32 [ 1, %141 ], [ %164, %163 ]
  %154 = add nsw i64 %144, %152
  %155 = mul nsw i64 %154, %22
  %156 = add nsw i64 %155, %142
  %157 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %156)
  %158 = icmp eq i32 %157, 0
  br i1 %158, label %163, label %159

159:
  %160 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %156)
  %161 = load i32, ptr %160, align 4
  %162 = mul nsw i32 %161, %153
  br label %163

163:
  %164 = phi i32 [ %162, %159 ], [ %153, %151 ]
  %165 = add nsw i64 %152, 1
  %166 = icmp eq i64 %165, %26
  br i1 %166, label %145, label %151

167:
  call void @_FortranAElementsOfAnotherKind()
  br label %168

168:
  ret void
}
define internal void @gradir.body._FortranAMaxvalDim(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5) {
6:
  %7 = call i64 @gradir.library.reduced(ptr %0, ptr %1, i32 %2)
  %8 = icmp sgt i32 %2, 1
  br i1 %8, label %9, label %21

9:
  %10 = add nsw i32 %2, -1
  %11 = zext i32 %10 to i64
  br label %12

12:
  %13 = phi i64 [ 0, %9 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %9 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %1, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %21, label %12

21:
  %22 = phi i64 [ 1, %6 ], [ %18, %12 ]
  %23 = sext i32 %2 to i64
  %24 = getelementptr %struct.dimension, ptr %1, i64 %23
  %25 = getelementptr inbounds i8, ptr %24, i64 8
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds i8, ptr %1, i64 21
  %28 = load i8, ptr %27, align 1
  switch i8 %28, label %95 [    i8 28, label %33    i8 27, label %29  ]

29:
  %30 = icmp sgt i64 %7, 0
  br i1 %30, label %31, label %170

31:
  %32 = icmp sgt i64 %26, 0
  br label %66

33:
  %34 = icmp sgt i64 %7, 0
  br i1 %34, label %35, label %170

35:
  %36 = icmp sgt i64 %26, 0
  br label %37

37:
  %38 = phi i64 [ 0, %35 ], [ %47, %43 ]
  br i1 %36, label %39, label %43

39:
  %40 = srem i64 %38, %22
  %41 = sdiv i64 %38, %22
  %42 = mul nsw i64 %41, %26
  br label %49

43:
  %44 = phi double [ 0xFFEFFFFFFFFFFFFF, %37 ], [ %63, %62 ]
  %45 = load ptr, ptr %0, align 8
  %46 = getelementptr inbounds double, ptr %45, i64 %38
  store double %44, ptr %46, align 8
  %47 = add nsw i64 %38, 1
  %48 = icmp eq i64 %47, %7
  br i1 %48, label %170, label %37

49:
  %50 = phi double [ 0xFFEFFFFFFFFFFFFF, %39 ], [ %63, %62 ]
  %51 = phi i64 [ 0, %39 ], [ %64, %62 ]
  %52 = add nsw i64 %42, %51
  %53 = mul nsw i64 %52, %22
  %54 = add nsw i64 %53, %40
  %55 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %54)
  %56 = icmp eq i32 %55, 0
  br i1 %56, label %62, label %57

57:
  %58 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %54)
  %59 = load double, ptr %58, align 8
  %60 = fcmp ogt double %59, %50
  %61 = select i1 %60, double %59, double %50
  br label %62

62:
  %63 = phi double [ %61, %57 ], [ %50, %49 ]
  %64 = add nsw i64 %51, 1
  %65 = icmp eq i64 %64, %26
  br i1 %65, label %43, label %49

66:
  %67 = phi i64 [ 0, %31 ], [ %76, %72 ]
  br i1 %32, label %68, label %72

68:
  %69 = srem i64 %67, %22
  %70 = sdiv i64 %67, %22
  %71 = mul nsw i64 %70, %26
  br label %78

72:
  %73 = phi float [ 0xC7EFFFFFE0000000, %66 ], [ %92, %91 ]
  %74 = load ptr, ptr %0, align 8
  %75 = getelementptr inbounds float, ptr %74, i64 %67
  store float %73, ptr %75, align 4
  %76 = add nsw i64 %67, 1
  %77 = icmp eq i64 %76, %7
  br i1 %77, label %170, label %66

78:
  %79 = phi float [ 0xC7EFFFFFE0000000, %68 ], [ %92, %91 ]
  %80 = phi i64 [ 0, %68 ], [ %93, %91 ]
  %81 = add nsw i64 %71, %80
  %82 = mul nsw i64 %81, %22
  %83 = add nsw i64 %82, %69
  %84 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %83)
  %85 = icmp eq i32 %84, 0
  br i1 %85, label %91, label %86

86:
  %87 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %83)
  %88 = load float, ptr %87, align 4
  %89 = fcmp ogt float %88, %79
  %90 = select i1 %89, float %88, float %79
  br label %91

91:
  %92 = phi float [ %90, %86 ], [ %79, %78 ]
  %93 = add nsw i64 %80, 1
  %94 = icmp eq i64 %93, %26
  br i1 %94, label %72, label %78

95:
  %96 = add i8 %28, -1
  %97 = icmp ult i8 %96, 24
  %98 = icmp eq i8 %28, 39
  %99 = or i1 %98, %97
  br i1 %99, label %100, label %169

100:
  %101 = getelementptr inbounds i8, ptr %1, i64 8
  %102 = load i64, ptr %101, align 8
  %103 = icmp ugt i64 %102, 8
  br i1 %103, label %169, label %104

104:
  switch i64 %102, label %169 [    i64 8, label %105    i64 4, label %137  ]

105:
  %106 = icmp sgt i64 %7, 0
  br i1 %106, label %107, label %170

107:
  %108 = icmp sgt i64 %26, 0
  br label %109

109:
  %110 = phi i64 [ 0, %107 ], [ %119, %115 ]
  br i1 %108, label %111, label %115

111:
  %112 = srem i64 %110, %22
  %113 = sdiv i64 %110, %22
  %114 = mul nsw i64 %113, %26
  br label %121

115:
  %116 = phi i64 [ -9223372036854775808, %109 ], [ %134, %133 ]
  %117 = load ptr, ptr %0, align 8
  %118 = getelementptr inbounds i64, ptr %117, i64 %110
  store i64 %116, ptr %118, align 8
  %119 = add nsw i64 %110, 1
  %120 = icmp eq i64 %119, %7
  br i1 %120, label %170, label %109

121:
  %122 = phi i64 [ 0, %111 ], [ %135, %133 ]
  %123 = phi i64 [ -9223372036854775808, %111 ], [ %134, %133 ]
  %124 = add nsw i64 %114, %122
  %125 = mul nsw i64 %124, %22
  %126 = add nsw i64 %125, %112
  %127 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %126)
  %128 = icmp eq i32 %127, 0
  br i1 %128, label %133, label %129

129:
  %130 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %126)
  %131 = load i64, ptr %130, align 8
  %132 = call i64 @llvm.smax.i64(i64 %131, i64 %123)
  br label %133

133:
  %134 = phi i64 [ %132, %129 ], [ %123, %121 ]
  %135 = add nsw i64 %122, 1
  %136 = icmp eq i64 %135, %26
  br i1 %136, label %115, label %121

137:
  %138 = icmp sgt i64 %7, 0
  br i1 %138, label %139, label %170

139:
  %140 = icmp sgt i64 %26, 0
  br label %141

141:
  %142 = phi i64 [ 0, %139 ], [ %151, %147 ]
  br i1 %140, label %143, label %147

143:
  %144 = srem i64 %142, %22
  %145 = sdiv i64 %142, %22
  %146 = mul nsw i64 %145, %26
  br label %153

147:
  %148 = phi i32 [ -2147483648, %141 ], [ %166, %165 ]
  %149 = load ptr, ptr %0, align 8
  %150 = getelementptr inbounds i32, ptr %149, i64 %142
  store i32 %148, ptr %150, align 4
  %151 = add nsw i64 %142, 1
  %152 = icmp eq i64 %151, %7
  br i1 %152, label %170, label %141

153:
  %154 = phi i64 [ 0, %143 ], [ %167, %165 ]
  %155 = phi i32 [ -2147483648, %143 ], [ %166, %165 ]
  %156 = add nsw i64 %146, %154
  %157 = mul nsw i64 %156, %22
  %158 = add nsw i64 %157, %144
  %159 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %158)
  %160 = icmp eq i32 %159, 0
  br i1 %160, label %165, label %161

161:
  %162 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %158)
  %163 = load i32, ptr %162, align 4
  %164 = call i32 @llvm.smax.i32(i32 %163, i32 %155)
  br label %165

165:
  %166 = phi i32 [ %164, %161 ], [ %155, %153 ]
  %167 = add nsw i64 %154, 1
  %168 = icmp eq i64 %167, %26
  br i1 %168, label %147, label %153

169:
  call void @_FortranAElementsOfAnotherKind()
  br label %170

170:
  ret void
}
define internal void @gradir.body._FortranAMinvalDim(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5) {
6:
  %7 = call i64 @gradir.library.reduced(ptr %0, ptr %1, i32 %2)
  %8 = icmp sgt i32 %2, 1
  br i1 %8, label %9, label %21

9:
  %10 = add nsw i32 %2, -1
  %11 = zext i32 %10 to i64
  br label %12

12:
  %13 = phi i64 [ 0, %9 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %9 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %1, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %21, label %12

21:
  %22 = phi i64 [ 1, %6 ], [ %18, %12 ]
  %23 = sext i32 %2 to i64
  %24 = getelementptr %struct.dimension, ptr %1, i64 %23
  %25 = getelementptr inbounds i8, ptr %24, i64 8
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds i8, ptr %1, i64 21
  %28 = load i8, ptr %27, align 1
  switch i8 %28, label %95 [    i8 28, label %33    i8 27, label %29  ]

29:
  %30 = icmp sgt i64 %7, 0
  br i1 %30, label %31, label %170

31:
  %32 = icmp sgt i64 %26, 0
  br label %66

33:
  %34 = icmp sgt i64 %7, 0
  br i1 %34, label %35, label %170

35:
  %36 = icmp sgt i64 %26, 0
  br label %37

37:
  %38 = phi i64 [ 0, %35 ], [ %47, %43 ]
  br i1 %36, label %39, label %43

39:
  %40 = srem i64 %38, %22
  %41 = sdiv i64 %38, %22
  %42 = mul nsw i64 %41, %26
  br label %49

43:
  %44 = phi double [ 0x7FEFFFFFFFFFFFFF, %37 ], [ %63, %62 ]
  %45 = load ptr, ptr %0, align 8
  %46 = getelementptr inbounds double, ptr %45, i64 %38
  store double %44, ptr %46, align 8
  %47 = add nsw i64 %38, 1
  %48 = icmp eq i64 %47, %7
  br i1 %48, label %170, label %37

49:
  %50 = phi double [ 0x7FEFFFFFFFFFFFFF, %39 ], [ %63, %62 ]
  %51 = phi i64 [ 0, %39 ], [ %64, %62 ]
  %52 = add nsw i64 %42, %51
  %53 = mul nsw i64 %52, %22
  %54 = add nsw i64 %53, %40
  %55 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %54)
  %56 = icmp eq i32 %55, 0
  br i1 %56, label %62, label %57

57:
  %58 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %54)
  %59 = load double, ptr %58, align 8
  %60 = fcmp olt double %59, %50
  %61 = select i1 %60, double %59, double %50
  br label %62

62:
  %63 = phi double [ %61, %57 ], [ %50, %49 ]
  %64 = add nsw i64 %51, 1
  %65 = icmp eq i64 %64, %26
  br i1 %65, label %43, label %49

66:
  %67 = phi i64 [ 0, %31 ], [ %76, %72 ]
  br i1 %32, label %68, label %72

68:
  %69 = srem i64 %67, %22
  %70 = sdiv i64 %67, %22
  %71 = mul nsw i64 %70, %26
  br label %78

72:
  %73 = phi float [ 0x47EFFFFFE0000000, %66 ], [ %92, %91 ]
  %74 = load ptr, ptr %0, align 8
  %75 = getelementptr inbounds float, ptr %74, i64 %67
  store float %73, ptr %75, align 4
  %76 = add nsw i64 %67, 1
  %77 = icmp eq i64 %76, %7
  br i1 %77, label %170, label %66

78:
  %79 = phi float [ 0x47EFFFFFE0000000, %68 ], [ %92, %91 ]
  %80 = phi i64 [ 0, %68 ], [ %93, %91 ]
  %81 = add nsw i64 %71, %80
  %82 = mul nsw i64 %81, %22
  %83 = add nsw i64 %82, %69
  %84 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %83)
  %85 = icmp eq i32 %84, 0
  br i1 %85, label %91, label %86

86:
  %87 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %83)
  %88 = load float, ptr %87, align 4
  %89 = fcmp olt float %88, %79
  %90 = select i1 %89, float %88, float %79
  br label %91

91:
  %92 = phi float [ %90, %86 ], [ %79, %78 ]
  %93 = add nsw i64 %80, 1
  %94 = icmp eq i64 %93, %26
  br i1 %94, label %72, label %78

95:
  %96 = add i8 %28, -1
  %97 = icmp ult i8 %96, 24
  %98 = icmp eq i8 %28, 39
  %99 = or i1 %98, %97
  br i1 %99, label %100, label %169

100:
  %101 = getelementptr inbounds i8, ptr %1, i64 8
  %102 = load i64, ptr %101, align 8
  %103 = icmp ugt i64 %102, 8
  br i1 %103, label %169, label %104

104:
  switch i64 %102, label %169 [    i64 8, label %105    i64 4, label %137  ]

105:
  %106 = icmp sgt i64 %7, 0
  br i1 %106, label %107, label %170

107:
  %108 = icmp sgt i64 %26, 0
  br label %109

109:
  %110 = phi i64 [ 0, %107 ], [ %119, %115 ]
  br i1 %108, label %111, label %115

111:
  %112 = srem i64 %110, %22
  %113 = sdiv i64 %110, %22
  %114 = mul nsw i64 %113, %26
  br label %121

115:
  %116 = phi i64 [ 9223372036854775807, %109 ], [ %134, %133 ]
  %117 = load ptr, ptr %0, align 8
  %118 = getelementptr inbounds i64, ptr %117, i64 %110
  store i64 %116, ptr %118, align 8
  %119 = add nsw i64 %110, 1
  %120 = icmp eq i64 %119, %7
  br i1 %120, label %170, label %109

121:
  %122 = phi i64 [ 0, %111 ], [ %135, %133 ]
  %123 = phi i64 [ 9223372036854775807, %111 ], [ %134, %133 ]
  %124 = add nsw i64 %114, %122
  %125 = mul nsw i64 %124, %22
  %126 = add nsw i64 %125, %112
  %127 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %126)
  %128 = icmp eq i32 %127, 0
  br i1 %128, label %133, label %129

129:
  %130 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %126)
  %131 = load i64, ptr %130, align 8
  %132 = call i64 @llvm.smin.i64(i64 %131, i64 %123)
  br label %133

133:
  %134 = phi i64 [ %132, %129 ], [ %123, %121 ]
  %135 = add nsw i64 %122, 1
  %136 = icmp eq i64 %135, %26
  br i1 %136, label %115, label %121

137:
  %138 = icmp sgt i64 %7, 0
  br i1 %138, label %139, label %170

139:
  %140 = icmp sgt i64 %26, 0
  br label %141

141:
  %142 = phi i64 [ 0, %139 ], [ %151, %147 ]
  br i1 %140, label %143, label %147

143:
  %144 = srem i64 %142, %22
  %145 = sdiv i64 %142, %22
  %146 = mul nsw i64 %145, %26
  br label %153

147:
  %148 = phi i32 [ 2147483647, %141 ], [ %166, %165 ]
  %149 = load ptr, ptr %0, align 8
  %150 = getelementptr inbounds i32, ptr %149, i64 %142
  store i32 %148, ptr %150, align 4
  %151 = add nsw i64 %142, 1
  %152 = icmp eq i64 %151, %7
  br i1 %152, label %170, label %141

153:
  %154 = phi i64 [ 0, %143 ], [ %167, %165 ]
  %155 = phi i32 [ 2147483647, %143 ], [ %166, %165 ]
  %156 = add nsw i64 %146, %154
  %157 = mul nsw i64 %156, %22
  %158 = add nsw i64 %157, %144
  %159 = call i32 @gradir.library.fortran_is_true(ptr %5, i64 %158)
  %160 = icmp eq i32 %159, 0
  br i1 %160, label %165, label %161

161:
  %162 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %158)
  %163 = load i32, ptr %162, align 4
  %164 = call i32 @llvm.smin.i32(i32 %163, i32 %155)
  br label %165

165:
  %166 = phi i32 [ %164, %161 ], [ %155, %153 ]
  %167 = add nsw i64 %154, 1
  %168 = icmp eq i64 %167, %26
  br i1 %168, label %147, label %153

169:
  call void @_FortranAElementsOfAnotherKind()
  br label %170

170:
  ret void
}
define internal void @gradir.body._FortranAMaxlocReal8(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5, i1 %6) {
7:
  %8 = zext i1 %6 to i32
  call void @gradir.library.fortran_located(ptr %0, ptr %1, i32 %2, ptr %5, i32 %8, i32 1)
  ret void
}
define internal void @gradir.library.fortran_located(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, i32 %5) {
6:
  %7 = sext i32 %2 to i64
  %8 = add i32 %2, -2
  %9 = icmp ult i32 %8, 7
  %10 = zext i32 %8 to i56
  %11 = shl nsw i56 %10, 3
  %12 = lshr i56 2822476531304200, %11
  %13 = trunc i56 %12 to i8
  %14 = select i1 %9, i8 %13, i8 7
  %15 = getelementptr inbounds i8, ptr %1, i64 20
  %16 = load i8, ptr %15, align 4
  %17 = sext i8 %16 to i64
  %18 = mul nsw i64 %17, %7
  %19 = call i64 @llvm.umax.i64(i64 %18, i64 1)
  %20 = call ptr @malloc(i64 %19)
  store ptr %20, ptr %0, align 8
  %21 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %7, ptr %21, align 8
  %22 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 1, ptr %23, align 4
  %24 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %14, ptr %24, align 1
  %25 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %25, align 2
  %26 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %26, align 1
  %27 = getelementptr inbounds i8, ptr %0, i64 24
  store i64 1, ptr %27, align 8
  %28 = getelementptr inbounds i8, ptr %0, i64 32
  store i64 %17, ptr %28, align 8
  %29 = getelementptr inbounds i8, ptr %0, i64 40
  store i64 %7, ptr %29, align 8
  %30 = load i8, ptr %15, align 4
  %31 = icmp eq i8 %30, 0
  br i1 %31, label %52, label %32

32:
  %33 = getelementptr inbounds i8, ptr %1, i64 32
  %34 = load i64, ptr %33, align 8
  %35 = icmp sgt i8 %30, 1
  br i1 %35, label %36, label %49

36:
  %37 = zext i8 %30 to i64
  br label %38

38:
  %39 = phi i64 [ 1, %36 ], [ %45, %38 ]
  %40 = phi i64 [ 1, %36 ], [ %44, %38 ]
  %41 = getelementptr inbounds %struct.dimension, ptr %1, i64 %39
  %42 = getelementptr inbounds i8, ptr %41, i64 32
  %43 = load i64, ptr %42, align 8
  %44 = mul nsw i64 %43, %40
  %45 = add nsw i64 %39, 1
  %46 = icmp eq i64 %45, %37
  br i1 %46, label %47, label %38

47:
  %48 = mul nsw i64 %44, %34
  br label %49

49:
  %50 = phi i64 [ %34, %32 ], [ %48, %47 ]
  %51 = icmp sgt i64 %50, 0
  br i1 %51, label %52, label %56

52:
  %53 = phi i64 [ %50, %49 ], [ 1, %6 ]
  br label %60

54:
  %55 = load i8, ptr %15, align 4
  br label %56

56:
  %57 = phi i8 [ %30, %49 ], [ %55, %54 ]
  %58 = phi i64 [ -1, %49 ], [ %72, %54 ]
  %59 = icmp sgt i8 %57, 0
  br i1 %59, label %76, label %75

60:
  %61 = phi i64 [ %73, %71 ], [ 0, %52 ]
  %62 = phi i64 [ %72, %71 ], [ -1, %52 ]
  %63 = call i32 @gradir.library.fortran_is_true(ptr %3, i64 %61)
  %64 = icmp eq i32 %63, 0
  br i1 %64, label %71, label %65

65:
  %66 = icmp slt i64 %62, 0
  br i1 %66, label %70, label %67

67:
  %68 = call i32 @gradir.library.fortran_better(ptr %1, i64 %61, i64 %62, i32 %5, i32 %4)
  %69 = icmp eq i32 %68, 0
  br i1 %69, label %71, label %70

70:
  br label %71

71:
  %72 = phi i64 [ %61, %70 ], [ %62, %67 ], [ %62, %60 ]
  %73 = add nsw i64 %61, 1
  %74 = icmp eq i64 %73, %53
  br i1 %74, label %54, label %60

75:
  ret void

76:
  %77 = phi i64 [ %106, %104 ], [ 0, %56 ]
  %78 = phi i64 [ %105, %104 ], [ %58, %56 ]
  %79 = icmp slt i64 %78, 0
  br i1 %79, label %86, label %80

80:
  %81 = getelementptr inbounds %struct.dimension, ptr %1, i64 %77
  %82 = getelementptr inbounds i8, ptr %81, i64 32
  %83 = load i64, ptr %82, align 8
  %84 = srem i64 %78, %83
  %85 = add nsw i64 %84, 1
  br label %86

86:
  %87 = phi i64 [ %85, %80 ], [ 0, %76 ]
  %88 = call ptr @gradir.library.fortran_nth(ptr %0, i64 %77)
  %89 = load i64, ptr %21, align 8
  switch i64 %89, label %95 [    i64 8, label %90    i64 4, label %91    i64 2, label %93  ]

90:
  store i64 %87, ptr %88, align 8
  br label %97

91:
  %92 = trunc i64 %87 to i32
  store i32 %92, ptr %88, align 4
  br label %97

93:
  %94 = trunc i64 %87 to i16
  store i16 %94, ptr %88, align 2
  br label %97

95:
  %96 = trunc i64 %87 to i8
  store i8 %96, ptr %88, align 1
  br label %97

97:
  %98 = icmp sgt i64 %78, -1
  br i1 %98, label %99, label %104

99:
  %100 = getelementptr inbounds %struct.dimension, ptr %1, i64 %77
  %101 = getelementptr inbounds i8, ptr %100, i64 32
  %102 = load i64, ptr %101, align 8
  %103 = sdiv i64 %78, %102
  br label %104

104:
  %105 = phi i64 [ %103, %99 ], [ %78, %97 ]
  %106 = add nsw i64 %77, 1
  %107 = load i8, ptr %15, align 4
  %108 = sext i8 %107 to i64
  %109 = icmp slt i64 %106, %108
  br i1 %109, label %76, label %75
}
define internal void @gradir.body._FortranAMaxlocReal4(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5, i1 %6) {
7:
  %8 = zext i1 %6 to i32
  call void @gradir.library.fortran_located(ptr %0, ptr %1, i32 %2, ptr %5, i32 %8, i32 1)
  ret void
}
define internal void @gradir.body._FortranAMaxlocDim(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, i1 %7) {
8:
  %9 = zext i1 %7 to i32
  call void @gradir.library.fortran_located_along(ptr %0, ptr %1, i32 %2, i32 %3, ptr %6, i32 %9, i32 1)
  ret void
}
define internal void @gradir.library.fortran_located_along(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4, i32 %5, i32 %6) {
7:
  %8 = alloca %struct.descriptor, align 8
  %9 = getelementptr inbounds i8, ptr %1, i64 20
  %10 = load i8, ptr %9, align 4
  %11 = add i8 %10, -1
  %12 = sext i32 %2 to i64
  %13 = add i32 %2, -2
  %14 = icmp ult i32 %13, 7
  %15 = zext i32 %13 to i56
  %16 = shl nsw i56 %15, 3
  %17 = lshr i56 2822476531304200, %16
  %18 = trunc i56 %17 to i8
  %19 = select i1 %14, i8 %18, i8 7
  %20 = icmp sgt i8 %11, 0
  br i1 %20, label %21, label %25

21:
  %22 = zext i8 %11 to i64
  %23 = add nsw i32 %3, -1
  %24 = sext i32 %23 to i64
  br label %119

25:
  %26 = icmp eq i8 %11, 0
  br i1 %26, label %49, label %27

27:
  %28 = getelementptr inbounds i8, ptr %8, i64 32
  %29 = load i64, ptr %28, align 8
  %30 = mul nsw i64 %29, %12
  br label %49

31:
  %32 = getelementptr inbounds i8, ptr %8, i64 32
  %33 = load i64, ptr %32, align 8
  %34 = mul nsw i64 %33, %12
  %35 = icmp eq i8 %11, 1
  br i1 %35, label %49, label %36

36:
  %37 = zext i8 %11 to i64
  br label %38

38:
  %39 = phi i64 [ 1, %36 ], [ %45, %38 ]
  %40 = phi i64 [ 1, %36 ], [ %44, %38 ]
  %41 = getelementptr inbounds %struct.dimension, ptr %8, i64 %39
  %42 = getelementptr inbounds i8, ptr %41, i64 32
  %43 = load i64, ptr %42, align 8
  %44 = mul nsw i64 %43, %40
  %45 = add nsw i64 %39, 1
  %46 = icmp eq i64 %45, %37
  br i1 %46, label %47, label %38

47:
  %48 = mul nsw i64 %44, %34
  br label %49

49:
  %50 = phi i1 [ false, %31 ], [ true, %25 ], [ false, %47 ], [ false, %27 ]
  %51 = phi i64 [ %34, %31 ], [ %12, %25 ], [ %48, %47 ], [ %30, %27 ]
  %52 = call i64 @llvm.umax.i64(i64 %51, i64 1)
  %53 = call ptr @malloc(i64 %52)
  store ptr %53, ptr %0, align 8
  %54 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %12, ptr %54, align 8
  %55 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %55, align 8
  %56 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %11, ptr %56, align 4
  %57 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %19, ptr %57, align 1
  %58 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %58, align 2
  %59 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 0, ptr %59, align 1
  br i1 %20, label %60, label %75

60:
  %61 = zext i8 %11 to i64
  %62 = getelementptr inbounds i8, ptr %0, i64 24
  br label %63

63:
  %64 = phi i64 [ 0, %60 ], [ %73, %63 ]
  %65 = phi i64 [ %12, %60 ], [ %72, %63 ]
  %66 = getelementptr inbounds %struct.dimension, ptr %62, i64 %64
  %67 = getelementptr inbounds %struct.dimension, ptr %8, i64 %64
  %68 = getelementptr inbounds i8, ptr %67, i64 32
  %69 = load i64, ptr %68, align 8
  store i64 1, ptr %66, align 8
  %70 = getelementptr inbounds i8, ptr %66, i64 8
  store i64 %69, ptr %70, align 8
  %71 = getelementptr inbounds i8, ptr %66, i64 16
  store i64 %65, ptr %71, align 8
  %72 = mul nsw i64 %69, %65
  %73 = add nsw i64 %64, 1
  %74 = icmp eq i64 %73, %61
  br i1 %74, label %79, label %63

75:
  br i1 %50, label %94, label %76

76:
  %77 = getelementptr inbounds i8, ptr %0, i64 32
  %78 = load i64, ptr %77, align 8
  br label %94

79:
  %80 = getelementptr inbounds i8, ptr %0, i64 32
  %81 = load i64, ptr %80, align 8
  %82 = icmp eq i8 %11, 1
  br i1 %82, label %94, label %83

83:
  %84 = phi i64 [ %90, %83 ], [ 1, %79 ]
  %85 = phi i64 [ %89, %83 ], [ 1, %79 ]
  %86 = getelementptr inbounds %struct.dimension, ptr %0, i64 %84
  %87 = getelementptr inbounds i8, ptr %86, i64 32
  %88 = load i64, ptr %87, align 8
  %89 = mul nsw i64 %88, %85
  %90 = add nsw i64 %84, 1
  %91 = icmp eq i64 %90, %61
  br i1 %91, label %92, label %83

92:
  %93 = mul nsw i64 %89, %81
  br label %94

94:
  %95 = phi i64 [ %81, %79 ], [ 1, %75 ], [ %93, %92 ], [ %78, %76 ]
  %96 = icmp sgt i32 %3, 1
  br i1 %96, label %97, label %109

97:
  %98 = add nsw i32 %3, -1
  %99 = zext i32 %98 to i64
  br label %100

100:
  %101 = phi i64 [ 0, %97 ], [ %107, %100 ]
  %102 = phi i64 [ 1, %97 ], [ %106, %100 ]
  %103 = getelementptr inbounds %struct.dimension, ptr %1, i64 %101
  %104 = getelementptr inbounds i8, ptr %103, i64 32
  %105 = load i64, ptr %104, align 8
  %106 = mul nsw i64 %105, %102
  %107 = add nsw i64 %101, 1
  %108 = icmp eq i64 %107, %99
  br i1 %108, label %109, label %100

109:
  %110 = phi i64 [ 1, %94 ], [ %106, %100 ]
  %111 = sext i32 %3 to i64
  %112 = getelementptr %struct.dimension, ptr %1, i64 %111
  %113 = getelementptr inbounds i8, ptr %112, i64 8
  %114 = load i64, ptr %113, align 8
  %115 = icmp sgt i64 %95, 0
  br i1 %115, label %116, label %131

116:
  %117 = mul i64 %114, %110
  %118 = icmp sgt i64 %114, 0
  br label %132

119:
  %120 = phi i64 [ 0, %21 ], [ %122, %119 ]
  %121 = icmp slt i64 %120, %24
  %122 = add nsw i64 %120, 1
  %123 = select i1 %121, i64 %120, i64 %122
  %124 = and i64 %123, 4294967295
  %125 = getelementptr inbounds %struct.dimension, ptr %1, i64 %124
  %126 = getelementptr inbounds i8, ptr %125, i64 32
  %127 = load i64, ptr %126, align 8
  %128 = getelementptr inbounds %struct.dimension, ptr %8, i64 %120
  %129 = getelementptr inbounds i8, ptr %128, i64 32
  store i64 %127, ptr %129, align 8
  %130 = icmp eq i64 %122, %22
  br i1 %130, label %31, label %119

131:
  ret void

132:
  %133 = phi i64 [ 0, %116 ], [ %152, %151 ]
  %134 = srem i64 %133, %110
  %135 = sdiv i64 %133, %110
  %136 = mul i64 %117, %135
  %137 = add nsw i64 %136, %134
  br i1 %118, label %154, label %140

138:
  %139 = add nsw i64 %170, 1
  br label %140

140:
  %141 = phi i64 [ 0, %132 ], [ %139, %138 ]
  %142 = call ptr @gradir.library.fortran_nth(ptr %0, i64 %133)
  %143 = load i64, ptr %54, align 8
  switch i64 %143, label %149 [    i64 8, label %144    i64 4, label %145    i64 2, label %147  ]

144:
  store i64 %141, ptr %142, align 8
  br label %151

145:
  %146 = trunc i64 %141 to i32
  store i32 %146, ptr %142, align 4
  br label %151

147:
  %148 = trunc i64 %141 to i16
  store i16 %148, ptr %142, align 2
  br label %151

149:
  %150 = trunc i64 %141 to i8
  store i8 %150, ptr %142, align 1
  br label %151

151:
  %152 = add nsw i64 %133, 1
  %153 = icmp eq i64 %152, %95
  br i1 %153, label %131, label %132

154:
  %155 = phi i64 [ %171, %169 ], [ 0, %132 ]
  %156 = phi i64 [ %170, %169 ], [ -1, %132 ]
  %157 = mul nsw i64 %155, %110
  %158 = add nsw i64 %157, %137
  %159 = call i32 @gradir.library.fortran_is_true(ptr %4, i64 %158)
  %160 = icmp eq i32 %159, 0
  br i1 %160, label %169, label %161

161:
  %162 = icmp slt i64 %156, 0
  br i1 %162, label %168, label %163

163:
  %164 = mul nsw i64 %156, %110
  %165 = add nsw i64 %164, %137
  %166 = call i32 @gradir.library.fortran_better(ptr %1, i64 %158, i64 %165, i32 %6, i32 %5)
  %167 = icmp eq i32 %166, 0
  br i1 %167, label %169, label %168

168:
  br label %169

169:
  %170 = phi i64 [ %155, %168 ], [ %156, %163 ], [ %156, %154 ]
  %171 = add nsw i64 %155, 1
  %172 = icmp eq i64 %171, %114
  br i1 %172, label %138, label %154
}
define internal void @gradir.body._FortranAMinlocReal8(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5, i1 %6) {
7:
  %8 = zext i1 %6 to i32
  call void @gradir.library.fortran_located(ptr %0, ptr %1, i32 %2, ptr %5, i32 %8, i32 0)
  ret void
}
define internal void @gradir.body._FortranAMinlocReal4(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5, i1 %6) {
7:
  %8 = zext i1 %6 to i32
  call void @gradir.library.fortran_located(ptr %0, ptr %1, i32 %2, ptr %5, i32 %8, i32 0)
  ret void
}
define internal void @gradir.body._FortranAMinlocDim(ptr %0, ptr %1, i32 %2, i32 %3, ptr %4, i32 %5, ptr %6, i1 %7) {
8:
  %9 = zext i1 %7 to i32
  call void @gradir.library.fortran_located_along(ptr %0, ptr %1, i32 %2, i32 %3, ptr %6, i32 %9, i32 0)
  ret void
}
define internal i64 @gradir.body._FortranACount(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %0, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp eq i8 %6, 0
  %8 = getelementptr inbounds i8, ptr %0, i64 32
  %9 = icmp sgt i8 %6, 1
  %10 = zext i8 %6 to i64
  br label %11

11:
  %12 = phi i64 [ 0, %4 ], [ %34, %31 ]
  %13 = phi i64 [ 0, %4 ], [ %35, %31 ]
  br i1 %7, label %27, label %14

14:
  %15 = load i64, ptr %8, align 8
  br i1 %9, label %16, label %27

16:
  %17 = phi i64 [ %23, %16 ], [ 1, %14 ]
  %18 = phi i64 [ %22, %16 ], [ 1, %14 ]
  %19 = getelementptr inbounds %struct.dimension, ptr %0, i64 %17
  %20 = getelementptr inbounds i8, ptr %19, i64 32
  %21 = load i64, ptr %20, align 8
  %22 = mul nsw i64 %21, %18
  %23 = add nsw i64 %17, 1
  %24 = icmp eq i64 %23, %10
  br i1 %24, label %25, label %16

25:
  %26 = mul nsw i64 %22, %15
  br label %27

27:
  %28 = phi i64 [ %15, %14 ], [ 1, %11 ], [ %26, %25 ]
  %29 = icmp slt i64 %13, %28
  br i1 %29, label %31, label %30

30:
  ret i64 %12

31:
  %32 = call i32 @gradir.library.fortran_is_true(ptr %0, i64 %13)
  %33 = zext i32 %32 to i64
  %34 = add nsw i64 %12, %33
  %35 = add nsw i64 %13, 1
  br label %11
}
define internal i1 @gradir.body._FortranAAll(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %0, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp eq i8 %6, 0
  %8 = getelementptr inbounds i8, ptr %0, i64 32
  %9 = icmp sgt i8 %6, 1
  %10 = zext i8 %6 to i64
  br label %11

11:
  %12 = phi i64 [ 0, %4 ], [ %32, %29 ]
  br i1 %7, label %26, label %13

13:
  %14 = load i64, ptr %8, align 8
  br i1 %9, label %15, label %26

15:
  %16 = phi i64 [ %22, %15 ], [ 1, %13 ]
  %17 = phi i64 [ %21, %15 ], [ 1, %13 ]
  %18 = getelementptr inbounds %struct.dimension, ptr %0, i64 %16
  %19 = getelementptr inbounds i8, ptr %18, i64 32
  %20 = load i64, ptr %19, align 8
  %21 = mul nsw i64 %20, %17
  %22 = add nsw i64 %16, 1
  %23 = icmp eq i64 %22, %10
  br i1 %23, label %24, label %15

24:
  %25 = mul nsw i64 %21, %14
  br label %26

26:
  %27 = phi i64 [ %14, %13 ], [ 1, %11 ], [ %25, %24 ]
  %28 = icmp sge i64 %12, %27
  br i1 %28, label %33, label %29

29:
  %30 = call i32 @gradir.library.fortran_is_true(ptr %0, i64 %12)
  %31 = icmp eq i32 %30, 0
  %32 = add nsw i64 %12, 1
  br i1 %31, label %33, label %11

33:
  ret i1 %28
}
define internal i1 @gradir.body._FortranAAny(ptr %0, ptr %1, i32 %2, i32 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %0, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp eq i8 %6, 0
  %8 = getelementptr inbounds i8, ptr %0, i64 32
  %9 = icmp sgt i8 %6, 1
  %10 = zext i8 %6 to i64
  br label %11

11:
  %12 = phi i64 [ 0, %4 ], [ %32, %29 ]
  br i1 %7, label %26, label %13

13:
  %14 = load i64, ptr %8, align 8
  br i1 %9, label %15, label %26

15:
  %16 = phi i64 [ %22, %15 ], [ 1, %13 ]
  %17 = phi i64 [ %21, %15 ], [ 1, %13 ]
  %18 = getelementptr inbounds %struct.dimension, ptr %0, i64 %16
  %19 = getelementptr inbounds i8, ptr %18, i64 32
  %20 = load i64, ptr %19, align 8
  %21 = mul nsw i64 %20, %17
  %22 = add nsw i64 %16, 1
  %23 = icmp eq i64 %22, %10
  br i1 %23, label %24, label %15

24:
  %25 = mul nsw i64 %21, %14
  br label %26

26:
  %27 = phi i64 [ %14, %13 ], [ 1, %11 ], [ %25, %24 ]
  %28 = icmp slt i64 %12, %27
  br i1 %28, label %29, label %33

29:
  %30 = call i32 @gradir.library.fortran_is_true(ptr %0, i64 %12)
  %31 = icmp eq i32 %30, 0
  %32 = add nsw i64 %12, 1
  br i1 %31, label %11, label %33

33:
  ret i1 %28
}
define internal void @gradir.body._FortranAPointerSetBounds(ptr %0, i32 %1, i64 %2, i64 %3) {
4:
  %5 = icmp slt i64 %3, %2
  %6 = select i1 %5, i64 1, i64 %2
  %7 = getelementptr inbounds i8, ptr %0, i64 24
  %8 = sext i32 %1 to i64
  %9 = getelementptr inbounds %struct.dimension, ptr %7, i64 %8
  store i64 %6, ptr %9, align 8
  %10 = sub i64 %3, %2
  %11 = add i64 %10, 1
  %12 = select i1 %5, i64 0, i64 %11
  %13 = getelementptr inbounds i8, ptr %9, i64 8
  store i64 %12, ptr %13, align 8
  ret void
}
define internal void @gradir.body._FortranAAllocatableSetBounds(ptr %0, i32 %1, i64 %2, i64 %3) {
4:
  %5 = icmp slt i64 %3, %2
  %6 = select i1 %5, i64 1, i64 %2
  %7 = getelementptr inbounds i8, ptr %0, i64 24
  %8 = sext i32 %1 to i64
  %9 = getelementptr inbounds %struct.dimension, ptr %7, i64 %8
  store i64 %6, ptr %9, align 8
  %10 = sub i64 %3, %2
  %11 = add i64 %10, 1
  %12 = select i1 %5, i64 0, i64 %11
  %13 = getelementptr inbounds i8, ptr %9, i64 8
  store i64 %12, ptr %13, align 8
  ret void
}
define internal i32 @gradir.body._FortranAPointerAllocate(ptr %0, i1 %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = load i64, ptr %6, align 8
  %8 = getelementptr inbounds i8, ptr %0, i64 20
  %9 = load i8, ptr %8, align 4
  %10 = icmp sgt i8 %9, 0
  br i1 %10, label %11, label %14

11:
  %12 = zext i8 %9 to i64
  %13 = getelementptr inbounds i8, ptr %0, i64 24
  br label %21

14:
  %15 = phi i64 [ %7, %5 ], [ %28, %21 ]
  %16 = call i64 @llvm.umax.i64(i64 %15, i64 1)
  %17 = call ptr @malloc(i64 %16)
  store ptr %17, ptr %0, align 8
  %18 = getelementptr inbounds i8, ptr %0, i64 21
  %19 = load i8, ptr %18, align 1
  %20 = icmp eq i8 %19, 42
  br i1 %20, label %31, label %32

21:
  %22 = phi i64 [ 0, %11 ], [ %29, %21 ]
  %23 = phi i64 [ %7, %11 ], [ %28, %21 ]
  %24 = getelementptr inbounds %struct.dimension, ptr %13, i64 %22
  %25 = getelementptr inbounds i8, ptr %24, i64 16
  store i64 %23, ptr %25, align 8
  %26 = getelementptr inbounds i8, ptr %24, i64 8
  %27 = load i64, ptr %26, align 8
  %28 = mul nsw i64 %27, %23
  %29 = add nsw i64 %22, 1
  %30 = icmp eq i64 %29, %12
  br i1 %30, label %14, label %21

31:
  call void @gradir.library.fortran_initialized(ptr %0)
  br label %32

32:
  ret i32 0
}
define internal i32 @gradir.body._FortranAAllocatableAllocate(ptr %0, i1 %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = load ptr, ptr %0, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %10, label %8

8:
  br i1 %1, label %37, label %9

9:
  call void @_FortranAReportFatalUserError(ptr @gradir.library.str.1, ptr %3, i32 %4)
  br label %37

10:
  %11 = getelementptr inbounds i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds i8, ptr %0, i64 20
  %14 = load i8, ptr %13, align 4
  %15 = icmp sgt i8 %14, 0
  br i1 %15, label %16, label %19

16:
  %17 = zext i8 %14 to i64
  %18 = getelementptr inbounds i8, ptr %0, i64 24
  br label %26

19:
  %20 = phi i64 [ %12, %10 ], [ %33, %26 ]
  %21 = call i64 @llvm.umax.i64(i64 %20, i64 1)
  %22 = call ptr @malloc(i64 %21)
  store ptr %22, ptr %0, align 8
  %23 = getelementptr inbounds i8, ptr %0, i64 21
  %24 = load i8, ptr %23, align 1
  %25 = icmp eq i8 %24, 42
  br i1 %25, label %36, label %37

26:
  %27 = phi i64 [ 0, %16 ], [ %34, %26 ]
  %28 = phi i64 [ %12, %16 ], [ %33, %26 ]
  %29 = getelementptr inbounds %struct.dimension, ptr %18, i64 %27
  %30 = getelementptr inbounds i8, ptr %29, i64 16
  store i64 %28, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %29, i64 8
  %32 = load i64, ptr %31, align 8
  %33 = mul nsw i64 %32, %28
  %34 = add nsw i64 %27, 1
  %35 = icmp eq i64 %34, %17
  br i1 %35, label %19, label %26

36:
  call void @gradir.library.fortran_initialized(ptr %0)
  br label %37

37:
  %38 = phi i32 [ 12, %9 ], [ 12, %8 ], [ 0, %19 ], [ 0, %36 ]
  ret i32 %38
}
define internal i32 @gradir.body._FortranAPointerAllocateSource(ptr %0, ptr %1, i1 %2, ptr %3, ptr %4, i32 %5) {
6:
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 20
  %10 = load i8, ptr %9, align 4
  %11 = icmp sgt i8 %10, 0
  br i1 %11, label %12, label %15

12:
  %13 = zext i8 %10 to i64
  %14 = getelementptr inbounds i8, ptr %0, i64 24
  br label %22

15:
  %16 = phi i64 [ %8, %6 ], [ %29, %22 ]
  %17 = call i64 @llvm.umax.i64(i64 %16, i64 1)
  %18 = call ptr @malloc(i64 %17)
  store ptr %18, ptr %0, align 8
  %19 = getelementptr inbounds i8, ptr %0, i64 21
  %20 = load i8, ptr %19, align 1
  %21 = icmp eq i8 %20, 42
  br i1 %21, label %32, label %33

22:
  %23 = phi i64 [ 0, %12 ], [ %30, %22 ]
  %24 = phi i64 [ %8, %12 ], [ %29, %22 ]
  %25 = getelementptr inbounds %struct.dimension, ptr %14, i64 %23
  %26 = getelementptr inbounds i8, ptr %25, i64 16
  store i64 %24, ptr %26, align 8
  %27 = getelementptr inbounds i8, ptr %25, i64 8
  %28 = load i64, ptr %27, align 8
  %29 = mul nsw i64 %28, %24
  %30 = add nsw i64 %23, 1
  %31 = icmp eq i64 %30, %13
  br i1 %31, label %15, label %22

32:
  call void @gradir.library.fortran_initialized(ptr %0)
  br label %33

33:
  %34 = getelementptr inbounds i8, ptr %1, i64 21
  %35 = load i8, ptr %34, align 1
  %36 = icmp eq i8 %35, 42
  br i1 %36, label %37, label %38

37:
  call void @gradir.library.fortran_assigned_objects(ptr %0, ptr %1)
  br label %72

38:
  %39 = load i8, ptr %9, align 4
  %40 = icmp eq i8 %39, 0
  br i1 %40, label %61, label %41

41:
  %42 = getelementptr inbounds i8, ptr %0, i64 32
  %43 = load i64, ptr %42, align 8
  %44 = icmp sgt i8 %39, 1
  br i1 %44, label %45, label %58

45:
  %46 = zext i8 %39 to i64
  br label %47

47:
  %48 = phi i64 [ 1, %45 ], [ %54, %47 ]
  %49 = phi i64 [ 1, %45 ], [ %53, %47 ]
  %50 = getelementptr inbounds %struct.dimension, ptr %0, i64 %48
  %51 = getelementptr inbounds i8, ptr %50, i64 32
  %52 = load i64, ptr %51, align 8
  %53 = mul nsw i64 %52, %49
  %54 = add nsw i64 %48, 1
  %55 = icmp eq i64 %54, %46
  br i1 %55, label %56, label %47

56:
  %57 = mul nsw i64 %53, %43
  br label %58

58:
  %59 = phi i64 [ %43, %41 ], [ %57, %56 ]
  %60 = icmp sgt i64 %59, 0
  br i1 %60, label %61, label %72

61:
  %62 = phi i64 [ %59, %58 ], [ 1, %38 ]
  br label %63

63:
  %64 = phi i64 [ 0, %61 ], [ %70, %63 ]
  %65 = load ptr, ptr %0, align 8
  %66 = load i64, ptr %7, align 8
  %67 = mul i64 %66, %64
  %68 = getelementptr inbounds i8, ptr %65, i64 %67
  %69 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %64)
  call void @gradir.library.fortran_copy(ptr %68, ptr %69, ptr %1)
  %70 = add nsw i64 %64, 1
  %71 = icmp eq i64 %70, %62
  br i1 %71, label %72, label %63

72:
  ret i32 0
}
define internal i32 @gradir.body._FortranAAllocatableAllocateSource(ptr %0, ptr %1, i1 %2, ptr %3, ptr %4, i32 %5) {
6:
  %7 = load ptr, ptr %0, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %11, label %9

9:
  br i1 %2, label %77, label %10

10:
  call void @_FortranAReportFatalUserError(ptr @gradir.library.str.1, ptr %4, i32 %5)
  br label %77

11:
  %12 = getelementptr inbounds i8, ptr %0, i64 8
  %13 = load i64, ptr %12, align 8
  %14 = getelementptr inbounds i8, ptr %0, i64 20
  %15 = load i8, ptr %14, align 4
  %16 = icmp sgt i8 %15, 0
  br i1 %16, label %17, label %20

17:
  %18 = zext i8 %15 to i64
  %19 = getelementptr inbounds i8, ptr %0, i64 24
  br label %27

20:
  %21 = phi i64 [ %13, %11 ], [ %34, %27 ]
  %22 = call i64 @llvm.umax.i64(i64 %21, i64 1)
  %23 = call ptr @malloc(i64 %22)
  store ptr %23, ptr %0, align 8
  %24 = getelementptr inbounds i8, ptr %0, i64 21
  %25 = load i8, ptr %24, align 1
  %26 = icmp eq i8 %25, 42
  br i1 %26, label %37, label %38

27:
  %28 = phi i64 [ 0, %17 ], [ %35, %27 ]
  %29 = phi i64 [ %13, %17 ], [ %34, %27 ]
  %30 = getelementptr inbounds %struct.dimension, ptr %19, i64 %28
  %31 = getelementptr inbounds i8, ptr %30, i64 16
  store i64 %29, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %30, i64 8
  %33 = load i64, ptr %32, align 8
  %34 = mul nsw i64 %33, %29
  %35 = add nsw i64 %28, 1
  %36 = icmp eq i64 %35, %18
  br i1 %36, label %20, label %27

37:
  call void @gradir.library.fortran_initialized(ptr %0)
  br label %38

38:
  %39 = getelementptr inbounds i8, ptr %1, i64 21
  %40 = load i8, ptr %39, align 1
  %41 = icmp eq i8 %40, 42
  br i1 %41, label %42, label %43

42:
  call void @gradir.library.fortran_assigned_objects(ptr %0, ptr %1)
  br label %77

43:
  %44 = load i8, ptr %14, align 4
  %45 = icmp eq i8 %44, 0
  br i1 %45, label %66, label %46

46:
  %47 = getelementptr inbounds i8, ptr %0, i64 32
  %48 = load i64, ptr %47, align 8
  %49 = icmp sgt i8 %44, 1
  br i1 %49, label %50, label %63

50:
  %51 = zext i8 %44 to i64
  br label %52

52:
  %53 = phi i64 [ 1, %50 ], [ %59, %52 ]
  %54 = phi i64 [ 1, %50 ], [ %58, %52 ]
  %55 = getelementptr inbounds %struct.dimension, ptr %0, i64 %53
  %56 = getelementptr inbounds i8, ptr %55, i64 32
  %57 = load i64, ptr %56, align 8
  %58 = mul nsw i64 %57, %54
  %59 = add nsw i64 %53, 1
  %60 = icmp eq i64 %59, %51
  br i1 %60, label %61, label %52

61:
  %62 = mul nsw i64 %58, %48
  br label %63

63:
  %64 = phi i64 [ %48, %46 ], [ %62, %61 ]
  %65 = icmp sgt i64 %64, 0
  br i1 %65, label %66, label %77

66:
  %67 = phi i64 [ %64, %63 ], [ 1, %43 ]
  br label %68

68:
  %69 = phi i64 [ 0, %66 ], [ %75, %68 ]
  %70 = load ptr, ptr %0, align 8
  %71 = load i64, ptr %12, align 8
  %72 = mul i64 %71, %69
  %73 = getelementptr inbounds i8, ptr %70, i64 %72
  %74 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %69)
  call void @gradir.library.fortran_copy(ptr %73, ptr %74, ptr %1)
  %75 = add nsw i64 %69, 1
  %76 = icmp eq i64 %75, %67
  br i1 %76, label %77, label %68

77:
  %78 = phi i32 [ 12, %10 ], [ 12, %9 ], [ 0, %42 ], [ 0, %63 ], [ 0, %68 ]
  ret i32 %78
}
define internal i32 @gradir.body._FortranAPointerDeallocate(ptr %0, i1 %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = load ptr, ptr %0, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %8, label %10

8:
  br i1 %1, label %18, label %9

9:
  call void @_FortranAReportFatalUserError(ptr @gradir.library.str.2, ptr %3, i32 %4)
  br label %18

10:
  %11 = getelementptr inbounds i8, ptr %0, i64 21
  %12 = load i8, ptr %11, align 1
  %13 = icmp eq i8 %12, 42
  br i1 %13, label %14, label %16

14:
  call void @gradir.library.fortran_destroyed(ptr %0)
  %15 = load ptr, ptr %0, align 8
  br label %16

16:
  %17 = phi ptr [ %15, %14 ], [ %6, %10 ]
  call void @free(ptr %17)
  store ptr null, ptr %0, align 8
  br label %18

18:
  %19 = phi i32 [ 0, %16 ], [ 11, %8 ], [ 11, %9 ]
  ret i32 %19
}
define internal i32 @gradir.body._FortranAAllocatableDeallocate(ptr %0, i1 %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = load ptr, ptr %0, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %8, label %10

8:
  br i1 %1, label %18, label %9

9:
  call void @_FortranAReportFatalUserError(ptr @gradir.library.str.2, ptr %3, i32 %4)
  br label %18

10:
  %11 = getelementptr inbounds i8, ptr %0, i64 21
  %12 = load i8, ptr %11, align 1
  %13 = icmp eq i8 %12, 42
  br i1 %13, label %14, label %16

14:
  call void @gradir.library.fortran_destroyed(ptr %0)
  %15 = load ptr, ptr %0, align 8
  br label %16

16:
  %17 = phi ptr [ %15, %14 ], [ %6, %10 ]
  call void @free(ptr %17)
  store ptr null, ptr %0, align 8
  br label %18

18:
  %19 = phi i32 [ 0, %16 ], [ 11, %8 ], [ 11, %9 ]
  ret i32 %19
}
define internal i32 @gradir.body._FortranAAllocatableDeallocatePolymorphic(ptr %0, ptr %1, i1 %2, ptr %3, ptr %4, i32 %5) {
6:
  %7 = load ptr, ptr %0, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %9, label %11

9:
  br i1 %2, label %19, label %10

10:
  call void @_FortranAReportFatalUserError(ptr @gradir.library.str.2, ptr %4, i32 %5)
  br label %19

11:
  %12 = getelementptr inbounds i8, ptr %0, i64 21
  %13 = load i8, ptr %12, align 1
  %14 = icmp eq i8 %13, 42
  br i1 %14, label %15, label %17

15:
  call void @gradir.library.fortran_destroyed(ptr %0)
  %16 = load ptr, ptr %0, align 8
  br label %17

17:
  %18 = phi ptr [ %16, %15 ], [ %7, %11 ]
  call void @free(ptr %18)
  store ptr null, ptr %0, align 8
  br label %19

19:
  %20 = phi i32 [ 0, %17 ], [ 11, %9 ], [ 11, %10 ]
  %21 = call i32 @gradir.library.fortran_forgotten(ptr %0, ptr %1, i32 %20)
  ret i32 %20
}
define internal i32 @gradir.library.fortran_forgotten(ptr %0, ptr %1, i32 %2) {
3:
  %4 = icmp eq i32 %2, 0
  br i1 %4, label %5, label %19

5:
  %6 = getelementptr inbounds i8, ptr %0, i64 23
  %7 = load i8, ptr %6, align 1
  %8 = icmp eq i8 %7, 0
  br i1 %8, label %15, label %9

9:
  %10 = getelementptr inbounds i8, ptr %0, i64 24
  %11 = getelementptr inbounds i8, ptr %0, i64 20
  %12 = load i8, ptr %11, align 4
  %13 = sext i8 %12 to i64
  %14 = getelementptr inbounds %struct.dimension, ptr %10, i64 %13
  store ptr %1, ptr %14, align 8
  br label %15

15:
  %16 = icmp eq ptr %1, null
  %17 = select i1 %16, i8 -1, i8 42
  %18 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %17, ptr %18, align 1
  br label %19

19:
  ret i32 %2
}
define internal i32 @gradir.body._FortranAPointerDeallocatePolymorphic(ptr %0, ptr %1, i1 %2, ptr %3, ptr %4, i32 %5) {
6:
  %7 = load ptr, ptr %0, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %9, label %11

9:
  br i1 %2, label %19, label %10

10:
  call void @_FortranAReportFatalUserError(ptr @gradir.library.str.2, ptr %4, i32 %5)
  br label %19

11:
  %12 = getelementptr inbounds i8, ptr %0, i64 21
  %13 = load i8, ptr %12, align 1
  %14 = icmp eq i8 %13, 42
  br i1 %14, label %15, label %17

15:
  call void @gradir.library.fortran_destroyed(ptr %0)
  %16 = load ptr, ptr %0, align 8
  br label %17

17:
  %18 = phi ptr [ %16, %15 ], [ %7, %11 ]
  call void @free(ptr %18)
  store ptr null, ptr %0, align 8
  br label %19

19:
  %20 = phi i32 [ 0, %17 ], [ 11, %9 ], [ 11, %10 ]
  %21 = call i32 @gradir.library.fortran_forgotten(ptr %0, ptr %1, i32 %20)
  ret i32 %20
}
define internal i32 @gradir.body._FortranAMoveAlloc(ptr %0, ptr %1, ptr %2, i1 %3, ptr %4, ptr %5, i32 %6) {
7:
  %8 = icmp eq ptr %0, %1
  br i1 %8, label %59, label %9

9:
  %10 = load ptr, ptr %0, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %18, label %12

12:
  %13 = getelementptr inbounds i8, ptr %0, i64 21
  %14 = load i8, ptr %13, align 1
  %15 = icmp eq i8 %14, 42
  br i1 %15, label %16, label %18

16:
  call void @gradir.library.fortran_destroyed(ptr %0)
  %17 = load ptr, ptr %0, align 8
  br label %18

18:
  %19 = phi ptr [ %17, %16 ], [ %10, %12 ], [ null, %9 ]
  call void @free(ptr %19)
  %20 = load ptr, ptr %1, align 8
  store ptr %20, ptr %0, align 8
  store ptr null, ptr %1, align 8
  %21 = getelementptr inbounds i8, ptr %1, i64 20
  %22 = load i8, ptr %21, align 4
  %23 = icmp sgt i8 %22, 0
  br i1 %23, label %24, label %27

24:
  %25 = getelementptr inbounds i8, ptr %0, i64 24
  %26 = getelementptr inbounds i8, ptr %1, i64 24
  br label %32

27:
  %28 = phi i8 [ %22, %18 ], [ %37, %32 ]
  %29 = getelementptr inbounds i8, ptr %1, i64 21
  %30 = load i8, ptr %29, align 1
  %31 = icmp eq i8 %30, 42
  br i1 %31, label %40, label %59

32:
  %33 = phi i64 [ 0, %24 ], [ %36, %32 ]
  %34 = getelementptr inbounds %struct.dimension, ptr %25, i64 %33
  %35 = getelementptr inbounds %struct.dimension, ptr %26, i64 %33
  call void @llvm.memcpy.p0.p0.i64(ptr %34, ptr %35, i64 24, i1 false)
  %36 = add nsw i64 %33, 1
  %37 = load i8, ptr %21, align 4
  %38 = sext i8 %37 to i64
  %39 = icmp slt i64 %36, %38
  br i1 %39, label %32, label %27

40:
  %41 = getelementptr inbounds i8, ptr %1, i64 23
  %42 = load i8, ptr %41, align 1
  %43 = icmp eq i8 %42, 0
  br i1 %43, label %59, label %44

44:
  %45 = getelementptr inbounds i8, ptr %1, i64 8
  %46 = load i64, ptr %45, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %46, ptr %47, align 8
  %48 = getelementptr inbounds i8, ptr %1, i64 24
  %49 = sext i8 %28 to i64
  %50 = getelementptr inbounds %struct.dimension, ptr %48, i64 %49
  %51 = load ptr, ptr %50, align 8
  %52 = getelementptr inbounds i8, ptr %0, i64 24
  %53 = getelementptr inbounds i8, ptr %0, i64 20
  %54 = load i8, ptr %53, align 4
  %55 = sext i8 %54 to i64
  %56 = getelementptr inbounds %struct.dimension, ptr %52, i64 %55
  store ptr %51, ptr %56, align 8
  %57 = icmp eq ptr %2, null
  br i1 %57, label %59, label %58

58:
  store ptr %2, ptr %50, align 8
  br label %59

59:
  ret i32 0
}
define internal void @gradir.body._FortranAInitArrayConstructorVector(ptr %0, ptr %1, i1 %2, i32 %3, ptr %4, i32 %5) {
6:
  store ptr %1, ptr %0, align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 0, ptr %7, align 8
  %8 = load ptr, ptr %1, align 8
  %9 = icmp eq ptr %8, null
  br i1 %9, label %31, label %10

10:
  %11 = getelementptr inbounds i8, ptr %1, i64 20
  %12 = load i8, ptr %11, align 4
  %13 = icmp eq i8 %12, 0
  br i1 %13, label %31, label %14

14:
  %15 = getelementptr inbounds i8, ptr %1, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = icmp sgt i8 %12, 1
  br i1 %17, label %18, label %31

18:
  %19 = zext i8 %12 to i64
  br label %20

20:
  %21 = phi i64 [ 1, %18 ], [ %27, %20 ]
  %22 = phi i64 [ 1, %18 ], [ %26, %20 ]
  %23 = getelementptr inbounds %struct.dimension, ptr %1, i64 %21
  %24 = getelementptr inbounds i8, ptr %23, i64 32
  %25 = load i64, ptr %24, align 8
  %26 = mul nsw i64 %25, %22
  %27 = add nsw i64 %21, 1
  %28 = icmp eq i64 %27, %19
  br i1 %28, label %29, label %20

29:
  %30 = mul nsw i64 %26, %16
  br label %31

31:
  %32 = phi i64 [ 0, %6 ], [ %16, %14 ], [ 1, %10 ], [ %30, %29 ]
  %33 = getelementptr inbounds i8, ptr %0, i64 16
  store i64 %32, ptr %33, align 8
  ret void
}
define internal void @gradir.body._FortranAPushArrayConstructorValue(ptr %0, ptr %1) {
2:
  %3 = getelementptr inbounds i8, ptr %1, i64 20
  %4 = load i8, ptr %3, align 4
  %5 = icmp eq i8 %4, 0
  br i1 %5, label %6, label %8

6:
  %7 = call ptr @gradir.library.fortran_room_for(ptr %0, i64 1)
  br label %29

8:
  %9 = getelementptr inbounds i8, ptr %1, i64 32
  %10 = load i64, ptr %9, align 8
  %11 = icmp sgt i8 %4, 1
  br i1 %11, label %12, label %25

12:
  %13 = zext i8 %4 to i64
  br label %14

14:
  %15 = phi i64 [ 1, %12 ], [ %21, %14 ]
  %16 = phi i64 [ 1, %12 ], [ %20, %14 ]
  %17 = getelementptr inbounds %struct.dimension, ptr %1, i64 %15
  %18 = getelementptr inbounds i8, ptr %17, i64 32
  %19 = load i64, ptr %18, align 8
  %20 = mul nsw i64 %19, %16
  %21 = add nsw i64 %15, 1
  %22 = icmp eq i64 %21, %13
  br i1 %22, label %23, label %14

23:
  %24 = mul nsw i64 %20, %10
  br label %25

25:
  %26 = phi i64 [ %10, %8 ], [ %24, %23 ]
  %27 = call ptr @gradir.library.fortran_room_for(ptr %0, i64 %26)
  %28 = icmp sgt i64 %26, 0
  br i1 %28, label %29, label %33

29:
  %30 = phi ptr [ %7, %6 ], [ %27, %25 ]
  %31 = phi i64 [ 1, %6 ], [ %26, %25 ]
  %32 = getelementptr inbounds i8, ptr %1, i64 8
  br label %34

33:
  ret void

34:
  %35 = phi i64 [ 0, %29 ], [ %40, %34 ]
  %36 = load i64, ptr %32, align 8
  %37 = mul i64 %36, %35
  %38 = getelementptr inbounds i8, ptr %30, i64 %37
  %39 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %35)
  call void @gradir.library.fortran_copy(ptr %38, ptr %39, ptr %1)
  %40 = add nsw i64 %35, 1
  %41 = icmp eq i64 %40, %31
  br i1 %41, label %33, label %34
}
define internal ptr @gradir.library.fortran_room_for(ptr %0, i64 %1) {
2:
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds i8, ptr %3, i64 8
  %5 = load i64, ptr %4, align 8
  %6 = load ptr, ptr %3, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %20, label %8

8:
  %9 = getelementptr inbounds i8, ptr %0, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = add nsw i64 %12, %1
  %14 = icmp slt i64 %10, %13
  br i1 %14, label %18, label %15

15:
  %16 = getelementptr inbounds i8, ptr %3, i64 32
  %17 = load i64, ptr %16, align 8
  br label %54

18:
  %19 = shl nsw i64 %13, 1
  br label %32

20:
  %21 = getelementptr inbounds i8, ptr %0, i64 8
  %22 = load i64, ptr %21, align 8
  %23 = add nsw i64 %22, %1
  %24 = shl nsw i64 %23, 1
  %25 = getelementptr inbounds i8, ptr %3, i64 22
  %26 = load i8, ptr %25, align 2
  %27 = icmp eq i8 %26, 2
  br i1 %27, label %28, label %32

28:
  %29 = getelementptr inbounds i8, ptr %3, i64 32
  %30 = load i64, ptr %29, align 8
  %31 = call i64 @llvm.smax.i64(i64 %30, i64 %24)
  br label %32

32:
  %33 = phi i64 [ %12, %18 ], [ %22, %20 ], [ %22, %28 ]
  %34 = phi ptr [ %11, %18 ], [ %21, %20 ], [ %21, %28 ]
  %35 = phi i64 [ %19, %18 ], [ %24, %20 ], [ %31, %28 ]
  %36 = mul nsw i64 %35, %5
  %37 = call ptr @malloc(i64 %36)
  %38 = icmp sgt i64 %33, 0
  br i1 %38, label %46, label %39

39:
  call void @free(ptr %6)
  store ptr %37, ptr %3, align 8
  %40 = getelementptr inbounds i8, ptr %0, i64 16
  store i64 %35, ptr %40, align 8
  %41 = getelementptr inbounds i8, ptr %3, i64 24
  store i64 1, ptr %41, align 8
  %42 = load i64, ptr %34, align 8
  %43 = getelementptr inbounds i8, ptr %3, i64 32
  store i64 %42, ptr %43, align 8
  %44 = getelementptr inbounds i8, ptr %3, i64 40
  store i64 %5, ptr %44, align 8
  %45 = add nsw i64 %42, %1
  br label %54

46:
  %47 = phi i64 [ %51, %46 ], [ 0, %32 ]
  %48 = mul nsw i64 %47, %5
  %49 = getelementptr inbounds i8, ptr %37, i64 %48
  %50 = getelementptr inbounds i8, ptr %6, i64 %48
  call void @gradir.library.fortran_copy(ptr %49, ptr %50, ptr %3)
  %51 = add nsw i64 %47, 1
  %52 = load i64, ptr %34, align 8
  %53 = icmp slt i64 %51, %52
  br i1 %53, label %46, label %39

54:
  %55 = phi i64 [ %13, %15 ], [ %45, %39 ]
  %56 = phi i64 [ %17, %15 ], [ %42, %39 ]
  %57 = phi i64 [ %12, %15 ], [ %42, %39 ]
  %58 = phi ptr [ %6, %15 ], [ %37, %39 ]
  %59 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %55, ptr %59, align 8
  %60 = icmp slt i64 %56, %55
  br i1 %60, label %61, label %64

61:
  %62 = getelementptr inbounds i8, ptr %3, i64 32
  %63 = getelementptr inbounds i8, ptr %3, i64 24
  store i64 1, ptr %63, align 8
  store i64 %55, ptr %62, align 8
  br label %64

64:
  %65 = mul nsw i64 %57, %5
  %66 = getelementptr inbounds i8, ptr %58, i64 %65
  ret ptr %66
}
define internal void @gradir.body._FortranAPushArrayConstructorSimpleScalar(ptr %0, ptr %1) {
2:
  %3 = call ptr @gradir.library.fortran_room_for(ptr %0, i64 1)
  %4 = load ptr, ptr %0, align 8
  call void @gradir.library.fortran_copy(ptr %3, ptr %1, ptr %4)
  ret void
}
define internal void @gradir.body.dgesv_(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7) {
8:
  call void @dgetrf_(ptr %0, ptr %0, ptr %2, ptr %3, ptr %4, ptr %7)
  %9 = load i32, ptr %7, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %12

11:
  call void @dgetrs_(ptr @gradir.library.str, ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7)
  br label %12

12:
  ret void
}
define internal void @gradir.body.dposv_(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7) {
8:
  call void @dpotrf_(ptr %0, ptr %1, ptr %3, ptr %4, ptr %7)
  %9 = load i32, ptr %7, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %12

11:
  call void @dpotrs_(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7)
  br label %12

12:
  ret void
}
define internal void @gradir.body.sgesv_(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7) {
8:
  call void @sgetrf_(ptr %0, ptr %0, ptr %2, ptr %3, ptr %4, ptr %7)
  %9 = load i32, ptr %7, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %12

11:
  call void @sgetrs_(ptr @gradir.library.str, ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7)
  br label %12

12:
  ret void
}
define internal void @gradir.body.sposv_(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7) {
8:
  call void @spotrf_(ptr %0, ptr %1, ptr %3, ptr %4, ptr %7)
  %9 = load i32, ptr %7, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %12

11:
  call void @spotrs_(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7)
  br label %12

12:
  ret void
}
define internal i32 @gradir.body.numba_xxdot(i8 %0, i8 %1, i64 %2, ptr %3, ptr %4, ptr %5) {
6:
  %7 = icmp eq i8 %1, 0
  %8 = icmp sgt i64 %2, 0
  switch i8 %0, label %69 [    i8 100, label %9    i8 122, label %21    i8 115, label %57  ]

9:
  store double 0.000000e+00, ptr %5, align 8
  br i1 %8, label %10, label %109

10:
  %11 = phi double [ %18, %10 ], [ 0.000000e+00, %9 ]
  %12 = phi i64 [ %19, %10 ], [ 0, %9 ]
  %13 = getelementptr double, ptr %4, i64 %12
  %14 = load double, ptr %13, align 8
  %15 = getelementptr double, ptr %3, i64 %12
  %16 = load double, ptr %15, align 8
  %17 = fmul double %14, %16
  %18 = fadd double %11, %17
  store double %18, ptr %5, align 8
  %19 = add nsw i64 %12, 1
  %20 = icmp eq i64 %19, %2
  br i1 %20, label %109, label %10

21:
  %22 = getelementptr inbounds i8, ptr %5, i64 8
  br i1 %8, label %32, label %23

23:
  %24 = phi double [ 0.000000e+00, %21 ], [ %54, %32 ]
  %25 = phi double [ 0.000000e+00, %21 ], [ %53, %32 ]
  %26 = fmul double %24, 0.000000e+00
  %27 = fsub double %25, %26
  %28 = fmul double %25, 0.000000e+00
  %29 = fadd double %24, %28
  %30 = fadd double %27, 0.000000e+00
  store double %30, ptr %5, align 8
  %31 = fadd double %29, 0.000000e+00
  store double %31, ptr %22, align 8
  br label %109

32:
  %33 = phi double [ %53, %32 ], [ 0.000000e+00, %21 ]
  %34 = phi double [ %54, %32 ], [ 0.000000e+00, %21 ]
  %35 = phi i64 [ %55, %32 ], [ 0, %21 ]
  %36 = shl i64 %35, 1
  %37 = getelementptr inbounds double, ptr %3, i64 %36
  %38 = getelementptr double, ptr %4, i64 %36
  %39 = load double, ptr %37, align 8
  %40 = getelementptr inbounds i8, ptr %37, i64 8
  %41 = load double, ptr %40, align 8
  %42 = fneg double %41
  %43 = select i1 %7, double %41, double %42
  %44 = load double, ptr %38, align 8
  %45 = getelementptr inbounds i8, ptr %38, i64 8
  %46 = load double, ptr %45, align 8
  %47 = fmul double %39, %44
  %48 = fmul double %43, %46
  %49 = fsub double %47, %48
  %50 = fmul double %39, %46
  %51 = fmul double %43, %44
  %52 = fadd double %51, %50
  %53 = fadd double %33, %49
  %54 = fadd double %34, %52
  %55 = add nsw i64 %35, 1
  %56 = icmp eq i64 %55, %2
  br i1 %56, label %23, label %32

57:
  store float 0.000000e+00, ptr %5, align 4
  br i1 %8, label %58, label %109

58:
  %59 = phi float [ %66, %58 ], [ 0.000000e+00, %57 ]
  %60 = phi i64 [ %67, %58 ], [ 0, %57 ]
  %61 = getelementptr float, ptr %4, i64 %60
  %62 = load float, ptr %61, align 4
  %63 = getelementptr float, ptr %3, i64 %60
  %64 = load float, ptr %63, align 4
  %65 = fmul float %62, %64
  %66 = fadd float %59, %65
  store float %66, ptr %5, align 4
  %67 = add nsw i64 %60, 1
  %68 = icmp eq i64 %67, %2
  br i1 %68, label %109, label %58

69:
  %70 = getelementptr inbounds i8, ptr %5, i64 4
  br i1 %8, label %81, label %71

71:
  %72 = phi <2 x float> [ zeroinitializer, %69 ], [ %106, %81 ]
  %73 = extractelement <2 x float> %72, i64 0
  %74 = extractelement <2 x float> %72, i64 1
  %75 = fmul float %74, 0.000000e+00
  %76 = fsub float %73, %75
  %77 = fmul float %73, 0.000000e+00
  %78 = fadd float %74, %77
  %79 = fadd float %76, 0.000000e+00
  store float %79, ptr %5, align 4
  %80 = fadd float %78, 0.000000e+00
  store float %80, ptr %70, align 4
  br label %109

81:
  %82 = phi i64 [ %107, %81 ], [ 0, %69 ]
  %83 = phi <2 x float> [ %106, %81 ], [ zeroinitializer, %69 ]
  %84 = shl i64 %82, 1
  %85 = getelementptr inbounds float, ptr %3, i64 %84
  %86 = getelementptr float, ptr %4, i64 %84
  %87 = load float, ptr %85, align 4
  %88 = getelementptr inbounds i8, ptr %85, i64 4
  %89 = load float, ptr %88, align 4
  %90 = fneg float %89
  %91 = select i1 %7, float %89, float %90
  %92 = load float, ptr %86, align 4
  %93 = getelementptr inbounds i8, ptr %86, i64 4
  %94 = load float, ptr %93, align 4
  %95 = fmul float %87, %92
  %96 = fmul float %91, %94
  %97 = fsub float %95, %96
  %98 = fmul float %87, %94
  %99 = fmul float %91, %92
  %100 = fadd float %99, %98
  %101 = extractelement <2 x float> %83, i64 0
  %102 = fadd float %101, %97
  %103 = insertelement <2 x float> poison, float %102, i64 0
  %104 = extractelement <2 x float> %83, i64 1
  %105 = fadd float %104, %100
  %106 = insertelement <2 x float> %103, float %105, i64 1
  %107 = add nsw i64 %82, 1
  %108 = icmp eq i64 %107, %2
  br i1 %108, label %71, label %81

109:
  ret i32 0
}
define internal i32 @gradir.body.numba_xxgemv(i8 %0, i8 %1, i64 %2, i64 %3, ptr %4, ptr %5, i64 %6, ptr %7, ptr %8, ptr %9) {
10:
  %11 = alloca %struct.s_matrix, align 8
  %12 = alloca %struct.s_matrix, align 8
  %13 = alloca %struct.d_matrix, align 8
  %14 = alloca %struct.d_matrix, align 8
  %15 = and i8 %1, -33
  %16 = icmp eq i8 %15, 78
  %17 = select i1 %16, i64 %2, i64 %3
  %18 = select i1 %16, i64 %3, i64 %2
  switch i8 %0, label %40 [    i8 122, label %19    i8 100, label %19  ]

19:
  %20 = icmp ne i8 %0, 100
  %21 = select i1 %20, i32 2, i32 1
  store ptr %5, ptr %13, align 8
  %22 = getelementptr inbounds i8, ptr %13, i64 8
  %23 = zext i32 %21 to i64
  %24 = zext i1 %20 to i64
  %25 = shl i64 %6, %24
  %26 = select i1 %16, i64 %23, i64 %25
  store i64 %26, ptr %22, align 8
  %27 = select i1 %16, i64 %25, i64 %23
  %28 = getelementptr inbounds i8, ptr %13, i64 16
  store i64 %27, ptr %28, align 8
  %29 = getelementptr inbounds i8, ptr %13, i64 24
  store i32 %21, ptr %29, align 8
  %30 = getelementptr inbounds i8, ptr %13, i64 28
  store i32 0, ptr %30, align 4
  %31 = getelementptr inbounds i8, ptr %13, i64 32
  %32 = icmp eq i8 %15, 67
  %33 = select i1 %32, double -1.000000e+00, double 1.000000e+00
  store double %33, ptr %31, align 8
  store ptr %7, ptr %14, align 8
  %34 = getelementptr inbounds i8, ptr %14, i64 8
  %35 = shl i64 %18, %24
  store i64 %23, ptr %34, align 8
  %36 = getelementptr inbounds i8, ptr %14, i64 16
  store i64 %35, ptr %36, align 8
  %37 = getelementptr inbounds i8, ptr %14, i64 24
  store i32 %21, ptr %37, align 8
  %38 = getelementptr inbounds i8, ptr %14, i64 28
  store i32 0, ptr %38, align 4
  %39 = getelementptr inbounds i8, ptr %14, i64 32
  store double 1.000000e+00, ptr %39, align 8
  call void @gradir.library.d_multiply(i64 %17, i64 1, i64 %18, ptr %4, ptr byval(%struct.d_matrix) %13, ptr byval(%struct.d_matrix) %14, ptr %8, ptr %9, i64 %17)
  br label %59

40:
  %41 = icmp ne i8 %0, 115
  %42 = select i1 %41, i32 2, i32 1
  store ptr %5, ptr %11, align 8
  %43 = getelementptr inbounds i8, ptr %11, i64 8
  %44 = zext i32 %42 to i64
  %45 = zext i1 %41 to i64
  %46 = shl i64 %6, %45
  %47 = select i1 %16, i64 %44, i64 %46
  store i64 %47, ptr %43, align 8
  %48 = select i1 %16, i64 %46, i64 %44
  %49 = getelementptr inbounds i8, ptr %11, i64 16
  store i64 %48, ptr %49, align 8
  %50 = getelementptr inbounds i8, ptr %11, i64 24
  store i32 %42, ptr %50, align 8
  %51 = getelementptr inbounds i8, ptr %11, i64 28
  %52 = icmp eq i8 %15, 67
  %53 = select i1 %52, float -1.000000e+00, float 1.000000e+00
  store float %53, ptr %51, align 4
  store ptr %7, ptr %12, align 8
  %54 = getelementptr inbounds i8, ptr %12, i64 8
  %55 = shl i64 %18, %45
  store i64 %44, ptr %54, align 8
  %56 = getelementptr inbounds i8, ptr %12, i64 16
  store i64 %55, ptr %56, align 8
  %57 = getelementptr inbounds i8, ptr %12, i64 24
  store i32 %42, ptr %57, align 8
  %58 = getelementptr inbounds i8, ptr %12, i64 28
  store float 1.000000e+00, ptr %58, align 4
  call void @gradir.library.s_multiply(i64 %17, i64 1, i64 %18, ptr %4, ptr byval(%struct.s_matrix) %11, ptr byval(%struct.s_matrix) %12, ptr %8, ptr %9, i64 %17)
  br label %59

59:
  ret i32 0
}
define internal i32 @gradir.body.numba_xxgemm(i8 %0, i8 %1, i8 %2, i64 %3, i64 %4, i64 %5, ptr %6, ptr %7, i64 %8, ptr %9, i64 %10, ptr %11, ptr %12, i64 %13) {
14:
  %15 = alloca %struct.s_matrix, align 8
  %16 = alloca %struct.s_matrix, align 8
  %17 = alloca %struct.d_matrix, align 8
  %18 = alloca %struct.d_matrix, align 8
  %19 = and i8 %1, -33
  %20 = icmp eq i8 %19, 78
  switch i8 %0, label %48 [    i8 122, label %21    i8 100, label %21  ]

21:
  %22 = icmp ne i8 %0, 100
  %23 = select i1 %22, i32 2, i32 1
  store ptr %7, ptr %17, align 8
  %24 = getelementptr inbounds i8, ptr %17, i64 8
  %25 = zext i32 %23 to i64
  %26 = zext i1 %22 to i64
  %27 = shl i64 %8, %26
  %28 = select i1 %20, i64 %25, i64 %27
  store i64 %28, ptr %24, align 8
  %29 = select i1 %20, i64 %27, i64 %25
  %30 = getelementptr inbounds i8, ptr %17, i64 16
  store i64 %29, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %17, i64 24
  store i32 %23, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %17, i64 28
  store i32 0, ptr %32, align 4
  %33 = getelementptr inbounds i8, ptr %17, i64 32
  %34 = icmp eq i8 %19, 67
  %35 = select i1 %34, double -1.000000e+00, double 1.000000e+00
  store double %35, ptr %33, align 8
  %36 = and i8 %2, -33
  %37 = icmp eq i8 %36, 78
  store ptr %9, ptr %18, align 8
  %38 = getelementptr inbounds i8, ptr %18, i64 8
  %39 = shl i64 %10, %26
  %40 = select i1 %37, i64 %25, i64 %39
  store i64 %40, ptr %38, align 8
  %41 = select i1 %37, i64 %39, i64 %25
  %42 = getelementptr inbounds i8, ptr %18, i64 16
  store i64 %41, ptr %42, align 8
  %43 = getelementptr inbounds i8, ptr %18, i64 24
  store i32 %23, ptr %43, align 8
  %44 = getelementptr inbounds i8, ptr %18, i64 28
  store i32 0, ptr %44, align 4
  %45 = getelementptr inbounds i8, ptr %18, i64 32
  %46 = icmp eq i8 %36, 67
  %47 = select i1 %46, double -1.000000e+00, double 1.000000e+00
  store double %47, ptr %45, align 8
  call void @gradir.library.d_multiply(i64 %3, i64 %4, i64 %5, ptr %6, ptr byval(%struct.d_matrix) %17, ptr byval(%struct.d_matrix) %18, ptr %11, ptr %12, i64 %13)
  br label %73

48:
  %49 = icmp ne i8 %0, 115
  %50 = select i1 %49, i32 2, i32 1
  store ptr %7, ptr %15, align 8
  %51 = getelementptr inbounds i8, ptr %15, i64 8
  %52 = zext i32 %50 to i64
  %53 = zext i1 %49 to i64
  %54 = shl i64 %8, %53
  %55 = select i1 %20, i64 %52, i64 %54
  store i64 %55, ptr %51, align 8
  %56 = select i1 %20, i64 %54, i64 %52
  %57 = getelementptr inbounds i8, ptr %15, i64 16
  store i64 %56, ptr %57, align 8
  %58 = getelementptr inbounds i8, ptr %15, i64 24
  store i32 %50, ptr %58, align 8
  %59 = getelementptr inbounds i8, ptr %15, i64 28
  %60 = icmp eq i8 %19, 67
  %61 = select i1 %60, float -1.000000e+00, float 1.000000e+00
  store float %61, ptr %59, align 4
  %62 = and i8 %2, -33
  %63 = icmp eq i8 %62, 78
  store ptr %9, ptr %16, align 8
  %64 = getelementptr inbounds i8, ptr %16, i64 8
  %65 = shl i64 %10, %53
  %66 = select i1 %63, i64 %52, i64 %65
  store i64 %66, ptr %64, align 8
  %67 = select i1 %63, i64 %65, i64 %52
  %68 = getelementptr inbounds i8, ptr %16, i64 16
  store i64 %67, ptr %68, align 8
  %69 = getelementptr inbounds i8, ptr %16, i64 24
  store i32 %50, ptr %69, align 8
  %70 = getelementptr inbounds i8, ptr %16, i64 28
  %71 = icmp eq i8 %62, 67
  %72 = select i1 %71, float -1.000000e+00, float 1.000000e+00
  store float %72, ptr %70, align 4
  call void @gradir.library.s_multiply(i64 %3, i64 %4, i64 %5, ptr %6, ptr byval(%struct.s_matrix) %15, ptr byval(%struct.s_matrix) %16, ptr %11, ptr %12, i64 %13)
  br label %73

73:
  ret i32 0
}
define internal i32 @gradir.body.numba_xxgetrf(i8 %0, i64 %1, i64 %2, ptr %3, i64 %4, ptr %5) {
6:
  switch i8 %0, label %187 [    i8 100, label %7    i8 115, label %97  ]

7:
  %8 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %9 = icmp sgt i64 %8, 0
  br i1 %9, label %10, label %189

10:
  %11 = phi i32 [ %95, %94 ], [ 0, %7 ]
  %12 = phi i64 [ %13, %94 ], [ 0, %7 ]
  %13 = add nsw i64 %12, 1
  %14 = icmp slt i64 %13, %1
  %15 = mul nsw i64 %12, %4
  br i1 %14, label %16, label %18

16:
  %17 = getelementptr double, ptr %3, i64 %15
  br label %31

18:
  %19 = phi i64 [ %12, %10 ], [ %41, %31 ]
  %20 = trunc i64 %19 to i32
  %21 = add nsw i32 %20, 1
  %22 = getelementptr inbounds i32, ptr %5, i64 %12
  store i32 %21, ptr %22, align 4
  %23 = getelementptr double, ptr %3, i64 %19
  %24 = getelementptr double, ptr %23, i64 %15
  %25 = load double, ptr %24, align 8
  %26 = fcmp oeq double %25, 0.000000e+00
  br i1 %26, label %44, label %27

27:
  %28 = icmp eq i64 %19, %12
  br i1 %28, label %49, label %29

29:
  %30 = getelementptr double, ptr %3, i64 %12
  br label %54

31:
  %32 = phi i64 [ %12, %16 ], [ %41, %31 ]
  %33 = phi i64 [ %13, %16 ], [ %42, %31 ]
  %34 = getelementptr double, ptr %17, i64 %33
  %35 = load double, ptr %34, align 8
  %36 = getelementptr double, ptr %17, i64 %32
  %37 = load double, ptr %36, align 8
  %38 = call double @llvm.fabs.f64(double %35)
  %39 = call double @llvm.fabs.f64(double %37)
  %40 = fcmp ogt double %38, %39
  %41 = select i1 %40, i64 %33, i64 %32
  %42 = add nsw i64 %33, 1
  %43 = icmp eq i64 %42, %1
  br i1 %43, label %18, label %31

44:
  %45 = icmp eq i32 %11, 0
  %46 = trunc i64 %12 to i32
  %47 = add nsw i32 %46, 1
  %48 = select i1 %45, i32 %47, i32 %11
  br label %94

49:
  %50 = getelementptr double, ptr %3, i64 %15
  br i1 %14, label %51, label %63

51:
  %52 = getelementptr double, ptr %3, i64 %12
  %53 = getelementptr double, ptr %52, i64 %15
  br label %67

54:
  %55 = phi i64 [ 0, %29 ], [ %61, %54 ]
  %56 = mul nsw i64 %55, %4
  %57 = getelementptr double, ptr %30, i64 %56
  %58 = load double, ptr %57, align 8
  %59 = getelementptr double, ptr %23, i64 %56
  %60 = load double, ptr %59, align 8
  store double %60, ptr %57, align 8
  store double %58, ptr %59, align 8
  %61 = add nsw i64 %55, 1
  %62 = icmp eq i64 %61, %2
  br i1 %62, label %49, label %54

63:
  %64 = icmp slt i64 %13, %2
  br i1 %64, label %65, label %94

65:
  %66 = getelementptr double, ptr %3, i64 %12
  br label %75

67:
  %68 = phi i64 [ %13, %51 ], [ %73, %67 ]
  %69 = load double, ptr %53, align 8
  %70 = getelementptr double, ptr %50, i64 %68
  %71 = load double, ptr %70, align 8
  %72 = fdiv double %71, %69
  store double %72, ptr %70, align 8
  %73 = add nsw i64 %68, 1
  %74 = icmp eq i64 %73, %1
  br i1 %74, label %63, label %67

75:
  %76 = phi i64 [ %13, %65 ], [ %81, %80 ]
  %77 = mul nsw i64 %76, %4
  %78 = getelementptr double, ptr %66, i64 %77
  %79 = load double, ptr %78, align 8
  br i1 %14, label %83, label %80

80:
  %81 = add nsw i64 %76, 1
  %82 = icmp eq i64 %81, %2
  br i1 %82, label %94, label %75

83:
  %84 = phi i64 [ %92, %83 ], [ %13, %75 ]
  %85 = getelementptr double, ptr %3, i64 %84
  %86 = getelementptr double, ptr %85, i64 %15
  %87 = load double, ptr %86, align 8
  %88 = fmul double %79, %87
  %89 = getelementptr double, ptr %85, i64 %77
  %90 = load double, ptr %89, align 8
  %91 = fsub double %90, %88
  store double %91, ptr %89, align 8
  %92 = add nsw i64 %84, 1
  %93 = icmp eq i64 %92, %1
  br i1 %93, label %80, label %83

94:
  %95 = phi i32 [ %48, %44 ], [ %11, %63 ], [ %11, %80 ]
  %96 = icmp eq i64 %13, %8
  br i1 %96, label %189, label %10

97:
  %98 = call i64 @llvm.smin.i64(i64 %1, i64 %2)
  %99 = icmp sgt i64 %98, 0
  br i1 %99, label %100, label %189

100:
  %101 = phi i32 [ %185, %184 ], [ 0, %97 ]
  %102 = phi i64 [ %103, %184 ], [ 0, %97 ]
  %103 = add nsw i64 %102, 1
  %104 = icmp slt i64 %103, %1
  %105 = mul nsw i64 %102, %4
  br i1 %104, label %106, label %108

106:
  %107 = getelementptr float, ptr %3, i64 %105
  br label %121

108:
  %109 = phi i64 [ %102, %100 ], [ %131, %121 ]
  %110 = trunc i64 %109 to i32
  %111 = add nsw i32 %110, 1
  %112 = getelementptr inbounds i32, ptr %5, i64 %102
  store i32 %111, ptr %112, align 4
  %113 = getelementptr float, ptr %3, i64 %109
  %114 = getelementptr float, ptr %113, i64 %105
  %115 = load float, ptr %114, align 4
  %116 = fcmp oeq float %115, 0.000000e+00
  br i1 %116, label %134, label %117

117:
  %118 = icmp eq i64 %109, %102
  br i1 %118, label %139, label %119

119:
  %120 = getelementptr float, ptr %3, i64 %102
  br label %144

121:
  %122 = phi i64 [ %102, %106 ], [ %131, %121 ]
  %123 = phi i64 [ %103, %106 ], [ %132, %121 ]
  %124 = getelementptr float, ptr %107, i64 %123
  %125 = load float, ptr %124, align 4
  %126 = getelementptr float, ptr %107, i64 %122
  %127 = load float, ptr %126, align 4
  %128 = call float @llvm.fabs.f32(float %125)
  %129 = call float @llvm.fabs.f32(float %127)
  %130 = fcmp ogt float %128, %129
  %131 = select i1 %130, i64 %123, i64 %122
  %132 = add nsw i64 %123, 1
  %133 = icmp eq i64 %132, %1
  br i1 %133, label %108, label %121

134:
  %135 = icmp eq i32 %101, 0
  %136 = trunc i64 %102 to i32
  %137 = add nsw i32 %136, 1
  %138 = select i1 %135, i32 %137, i32 %101
  br label %184

139:
  %140 = getelementptr float, ptr %3, i64 %105
  br i1 %104, label %141, label %153

141:
  %142 = getelementptr float, ptr %3, i64 %102
  %143 = getelementptr float, ptr %142, i64 %105
  br label %157

144:
  %145 = phi i64 [ 0, %119 ], [ %151, %144 ]
  %146 = mul nsw i64 %145, %4
  %147 = getelementptr float, ptr %120, i64 %146
  %148 = load float, ptr %147, align 4
  %149 = getelementptr float, ptr %113, i64 %146
  %150 = load float, ptr %149, align 4
  store float %150, ptr %147, align 4
  store float %148, ptr %149, align 4
  %151 = add nsw i64 %145, 1
  %152 = icmp eq i64 %151, %2
  br i1 %152, label %139, label %144

153:
  %154 = icmp slt i64 %103, %2
  br i1 %154, label %155, label %184

155:
  %156 = getelementptr float, ptr %3, i64 %102
  br label %165

157:
  %158 = phi i64 [ %103, %141 ], [ %163, %157 ]
  %159 = load float, ptr %143, align 4
  %160 = getelementptr float, ptr %140, i64 %158
  %161 = load float, ptr %160, align 4
  %162 = fdiv float %161, %159
  store float %162, ptr %160, align 4
  %163 = add nsw i64 %158, 1
  %164 = icmp eq i64 %163, %1
  br i1 %164, label %153, label %157

165:
  %166 = phi i64 [ %103, %155 ], [ %171, %170 ]
  %167 = mul nsw i64 %166, %4
  %168 = getelementptr float, ptr %156, i64 %167
  %169 = load float, ptr %168, align 4
  br i1 %104, label %173, label %170

170:
  %171 = add nsw i64 %166, 1
  %172 = icmp eq i64 %171, %2
  br i1 %172, label %184, label %165

173:
  %174 = phi i64 [ %182, %173 ], [ %103, %165 ]
  %175 = getelementptr float, ptr %3, i64 %174
  %176 = getelementptr float, ptr %175, i64 %105
  %177 = load float, ptr %176, align 4
  %178 = fmul float %169, %177
  %179 = getelementptr float, ptr %175, i64 %167
  %180 = load float, ptr %179, align 4
  %181 = fsub float %180, %178
  store float %181, ptr %179, align 4
  %182 = add nsw i64 %174, 1
  %183 = icmp eq i64 %182, %1
  br i1 %183, label %170, label %173

184:
  %185 = phi i32 [ %138, %134 ], [ %101, %153 ], [ %101, %170 ]
  %186 = icmp eq i64 %103, %98
  br i1 %186, label %189, label %100

187:
  %188 = call i32 @factorisation_of_complex_numbers()
  br label %189

189:
  %190 = phi i32 [ %188, %187 ], [ %95, %94 ], [ 0, %7 ], [ 0, %97 ], [ %185, %184 ]
  ret i32 %190
}
declare i32 @factorisation_of_complex_numbers()
define internal i32 @gradir.body.numba_ez_xxgetri(i8 %0, i64 %1, ptr %2, i64 %3, ptr %4) {
5:
  switch i8 %0, label %260 [    i8 100, label %6    i8 115, label %133  ]

6:
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %12, label %8

8:
  %9 = shl i64 %1, 3
  %10 = mul i64 %9, %1
  %11 = call ptr @malloc(i64 %10)
  br label %121

12:
  %13 = add i64 %3, 1
  br label %14

14:
  %15 = phi i64 [ 0, %12 ], [ %21, %20 ]
  %16 = mul i64 %15, %13
  %17 = getelementptr inbounds double, ptr %2, i64 %16
  %18 = load double, ptr %17, align 8
  %19 = fcmp oeq double %18, 0.000000e+00
  br i1 %19, label %23, label %20

20:
  %21 = add nsw i64 %15, 1
  %22 = icmp eq i64 %21, %1
  br i1 %22, label %26, label %14

23:
  %24 = trunc i64 %15 to i32
  %25 = add nsw i32 %24, 1
  br label %262

26:
  %27 = shl i64 %1, 3
  %28 = mul i64 %27, %1
  %29 = call ptr @malloc(i64 %28)
  %30 = add nsw i64 %1, -1
  %31 = mul nsw i64 %3, %30
  %32 = getelementptr double, ptr %2, i64 %30
  %33 = getelementptr double, ptr %32, i64 %31
  %34 = icmp eq i64 %1, 1
  %35 = load double, ptr %33, align 8
  br label %36

36:
  %37 = phi i64 [ 0, %26 ], [ %106, %105 ]
  %38 = mul nsw i64 %37, %1
  %39 = getelementptr double, ptr %29, i64 %38
  br label %108

40:
  %41 = phi i64 [ %50, %40 ], [ 0, %108 ]
  %42 = getelementptr inbounds i32, ptr %4, i64 %41
  %43 = load i32, ptr %42, align 4
  %44 = getelementptr inbounds double, ptr %39, i64 %41
  %45 = load double, ptr %44, align 8
  %46 = sext i32 %43 to i64
  %47 = getelementptr double, ptr %39, i64 %46
  %48 = getelementptr i8, ptr %47, i64 -8
  %49 = load double, ptr %48, align 8
  store double %49, ptr %44, align 8
  store double %45, ptr %48, align 8
  %50 = add nsw i64 %41, 1
  %51 = icmp eq i64 %50, %1
  br i1 %51, label %58, label %40

52:
  %53 = icmp eq i64 %60, %1
  br i1 %53, label %54, label %58

54:
  %55 = getelementptr inbounds double, ptr %39, i64 %30
  %56 = load double, ptr %55, align 8
  %57 = fdiv double %56, %35
  store double %57, ptr %55, align 8
  br i1 %34, label %105, label %87

58:
  %59 = phi i64 [ %60, %52 ], [ 0, %40 ]
  %60 = add nsw i64 %59, 1
  %61 = icmp slt i64 %60, %1
  br i1 %61, label %62, label %52

62:
  %63 = mul nsw i64 %59, %3
  %64 = getelementptr double, ptr %2, i64 %63
  %65 = getelementptr inbounds double, ptr %39, i64 %59
  br label %66

66:
  %67 = phi i64 [ %60, %62 ], [ %75, %66 ]
  %68 = getelementptr double, ptr %64, i64 %67
  %69 = load double, ptr %68, align 8
  %70 = load double, ptr %65, align 8
  %71 = fmul double %69, %70
  %72 = getelementptr inbounds double, ptr %39, i64 %67
  %73 = load double, ptr %72, align 8
  %74 = fsub double %73, %71
  store double %74, ptr %72, align 8
  %75 = add nsw i64 %67, 1
  %76 = icmp eq i64 %75, %1
  br i1 %76, label %52, label %66

77:
  %78 = add nsw i64 %90, -1
  %79 = mul nsw i64 %78, %3
  %80 = getelementptr double, ptr %2, i64 %78
  %81 = getelementptr double, ptr %80, i64 %79
  %82 = load double, ptr %81, align 8
  %83 = getelementptr inbounds double, ptr %39, i64 %78
  %84 = load double, ptr %83, align 8
  %85 = fdiv double %84, %82
  store double %85, ptr %83, align 8
  %86 = icmp ugt i64 %90, 1
  br i1 %86, label %87, label %105

87:
  %88 = phi i64 [ %79, %77 ], [ %31, %54 ]
  %89 = phi ptr [ %83, %77 ], [ %55, %54 ]
  %90 = phi i64 [ %78, %77 ], [ %30, %54 ]
  %91 = phi i64 [ %92, %77 ], [ %1, %54 ]
  %92 = add nsw i64 %91, -1
  %93 = getelementptr double, ptr %2, i64 %88
  br label %94

94:
  %95 = phi i64 [ %103, %94 ], [ 0, %87 ]
  %96 = getelementptr double, ptr %93, i64 %95
  %97 = load double, ptr %96, align 8
  %98 = load double, ptr %89, align 8
  %99 = fmul double %97, %98
  %100 = getelementptr inbounds double, ptr %39, i64 %95
  %101 = load double, ptr %100, align 8
  %102 = fsub double %101, %99
  store double %102, ptr %100, align 8
  %103 = add nsw i64 %95, 1
  %104 = icmp eq i64 %103, %92
  br i1 %104, label %77, label %94

105:
  %106 = add nsw i64 %37, 1
  %107 = icmp eq i64 %106, %1
  br i1 %107, label %115, label %36

108:
  %109 = phi i64 [ 0, %36 ], [ %113, %108 ]
  %110 = icmp eq i64 %109, %37
  %111 = uitofp i1 %110 to double
  %112 = getelementptr double, ptr %39, i64 %109
  store double %111, ptr %112, align 8
  %113 = add nsw i64 %109, 1
  %114 = icmp eq i64 %113, %1
  br i1 %114, label %40, label %108

115:
  %116 = phi i64 [ %124, %123 ], [ 0, %105 ]
  %117 = mul nsw i64 %116, %1
  %118 = getelementptr double, ptr %29, i64 %117
  %119 = mul nsw i64 %116, %3
  %120 = getelementptr double, ptr %2, i64 %119
  br label %126

121:
  %122 = phi ptr [ %11, %8 ], [ %29, %123 ]
  call void @free(ptr %122)
  br label %262

123:
  %124 = add nsw i64 %116, 1
  %125 = icmp eq i64 %124, %1
  br i1 %125, label %121, label %115

126:
  %127 = phi i64 [ 0, %115 ], [ %131, %126 ]
  %128 = getelementptr double, ptr %118, i64 %127
  %129 = load double, ptr %128, align 8
  %130 = getelementptr double, ptr %120, i64 %127
  store double %129, ptr %130, align 8
  %131 = add nsw i64 %127, 1
  %132 = icmp eq i64 %131, %1
  br i1 %132, label %123, label %126

133:
  %134 = icmp sgt i64 %1, 0
  br i1 %134, label %139, label %135

135:
  %136 = shl i64 %1, 2
  %137 = mul i64 %136, %1
  %138 = call ptr @malloc(i64 %137)
  br label %248

139:
  %140 = add i64 %3, 1
  br label %141

141:
  %142 = phi i64 [ 0, %139 ], [ %148, %147 ]
  %143 = mul i64 %142, %140
  %144 = getelementptr inbounds float, ptr %2, i64 %143
  %145 = load float, ptr %144, align 4
  %146 = fcmp oeq float %145, 0.000000e+00
  br i1 %146, label %150, label %147

147:
  %148 = add nsw i64 %142, 1
  %149 = icmp eq i64 %148, %1
  br i1 %149, label %153, label %141

150:
  %151 = trunc i64 %142 to i32
  %152 = add nsw i32 %151, 1
  br label %262

153:
  %154 = shl i64 %1, 2
  %155 = mul i64 %154, %1
  %156 = call ptr @malloc(i64 %155)
  %157 = add nsw i64 %1, -1
  %158 = mul nsw i64 %3, %157
  %159 = getelementptr float, ptr %2, i64 %157
  %160 = getelementptr float, ptr %159, i64 %158
  %161 = icmp eq i64 %1, 1
  %162 = load float, ptr %160, align 4
  br label %163

163:
  %164 = phi i64 [ 0, %153 ], [ %233, %232 ]
  %165 = mul nsw i64 %164, %1
  %166 = getelementptr float, ptr %156, i64 %165
  br label %235

167:
  %168 = phi i64 [ %177, %167 ], [ 0, %235 ]
  %169 = getelementptr inbounds i32, ptr %4, i64 %168
  %170 = load i32, ptr %169, align 4
  %171 = getelementptr inbounds float, ptr %166, i64 %168
  %172 = load float, ptr %171, align 4
  %173 = sext i32 %170 to i64
  %174 = getelementptr float, ptr %166, i64 %173
  %175 = getelementptr i8, ptr %174, i64 -4
  %176 = load float, ptr %175, align 4
  store float %176, ptr %171, align 4
  store float %172, ptr %175, align 4
  %177 = add nsw i64 %168, 1
  %178 = icmp eq i64 %177, %1
  br i1 %178, label %185, label %167

179:
  %180 = icmp eq i64 %187, %1
  br i1 %180, label %181, label %185

181:
  %182 = getelementptr inbounds float, ptr %166, i64 %157
  %183 = load float, ptr %182, align 4
  %184 = fdiv float %183, %162
  store float %184, ptr %182, align 4
  br i1 %161, label %232, label %214

185:
  %186 = phi i64 [ %187, %179 ], [ 0, %167 ]
  %187 = add nsw i64 %186, 1
  %188 = icmp slt i64 %187, %1
  br i1 %188, label %189, label %179

189:
  %190 = mul nsw i64 %186, %3
  %191 = getelementptr float, ptr %2, i64 %190
  %192 = getelementptr inbounds float, ptr %166, i64 %186
  br label %193

193:
  %194 = phi i64 [ %187, %189 ], [ %202, %193 ]
  %195 = getelementptr float, ptr %191, i64 %194
  %196 = load float, ptr %195, align 4
  %197 = load float, ptr %192, align 4
  %198 = fmul float %196, %197
  %199 = getelementptr inbounds float, ptr %166, i64 %194
  %200 = load float, ptr %199, align 4
  %201 = fsub float %200, %198
  store float %201, ptr %199, align 4
  %202 = add nsw i64 %194, 1
  %203 = icmp eq i64 %202, %1
  br i1 %203, label %179, label %193

204:
  %205 = add nsw i64 %217, -1
  %206 = mul nsw i64 %205, %3
  %207 = getelementptr float, ptr %2, i64 %205
  %208 = getelementptr float, ptr %207, i64 %206
  %209 = load float, ptr %208, align 4
  %210 = getelementptr inbounds float, ptr %166, i64 %205
  %211 = load float, ptr %210, align 4
  %212 = fdiv float %211, %209
  store float %212, ptr %210, align 4
  %213 = icmp ugt i64 %217, 1
  br i1 %213, label %214, label %232

214:
  %215 = phi i64 [ %206, %204 ], [ %158, %181 ]
  %216 = phi ptr [ %210, %204 ], [ %182, %181 ]
  %217 = phi i64 [ %205, %204 ], [ %157, %181 ]
  %218 = phi i64 [ %219, %204 ], [ %1, %181 ]
  %219 = add nsw i64 %218, -1
  %220 = getelementptr float, ptr %2, i64 %215
  br label %221

221:
  %222 = phi i64 [ %230, %221 ], [ 0, %214 ]
  %223 = getelementptr float, ptr %220, i64 %222
  %224 = load float, ptr %223, align 4
  %225 = load float, ptr %216, align 4
  %226 = fmul float %224, %225
  %227 = getelementptr inbounds float, ptr %166, i64 %222
  %228 = load float, ptr %227, align 4
  %229 = fsub float %228, %226
  store float %229, ptr %227, align 4
  %230 = add nsw i64 %222, 1
  %231 = icmp eq i64 %230, %219
  br i1 %231, label %204, label %221

232:
  %233 = add nsw i64 %164, 1
  %234 = icmp eq i64 %233, %1
  br i1 %234, label %242, label %163

235:
  %236 = phi i64 [ 0, %163 ], [ %240, %235 ]
  %237 = icmp eq i64 %236, %164
  %238 = uitofp i1 %237 to float
  %239 = getelementptr float, ptr %166, i64 %236
  store float %238, ptr %239, align 4
  %240 = add nsw i64 %236, 1
  %241 = icmp eq i64 %240, %1
  br i1 %241, label %167, label %235

242:
  %243 = phi i64 [ %251, %250 ], [ 0, %232 ]
  %244 = mul nsw i64 %243, %1
  %245 = getelementptr float, ptr %156, i64 %244
  %246 = mul nsw i64 %243, %3
  %247 = getelementptr float, ptr %2, i64 %246
  br label %253

248:
  %249 = phi ptr [ %138, %135 ], [ %156, %250 ]
  call void @free(ptr %249)
  br label %262

250:
  %251 = add nsw i64 %243, 1
  %252 = icmp eq i64 %251, %1
  br i1 %252, label %248, label %242

253:
  %254 = phi i64 [ 0, %242 ], [ %258, %253 ]
  %255 = getelementptr float, ptr %245, i64 %254
  %256 = load float, ptr %255, align 4
  %257 = getelementptr float, ptr %247, i64 %254
  store float %256, ptr %257, align 4
  %258 = add nsw i64 %254, 1
  %259 = icmp eq i64 %258, %1
  br i1 %259, label %250, label %253

260:
  %261 = call i32 @factorisation_of_complex_numbers()
  br label %262

262:
  %263 = phi i32 [ %261, %260 ], [ %25, %23 ], [ 0, %121 ], [ 0, %248 ], [ %152, %150 ]
  ret i32 %263
}
define internal i32 @gradir.body.numba_xgesv(i8 %0, i64 %1, i64 %2, ptr %3, i64 %4, ptr %5, ptr %6, i64 %7) {
8:
  switch i8 %0, label %347 [    i8 100, label %9    i8 115, label %178  ]

9:
  %10 = icmp sgt i64 %1, 0
  br i1 %10, label %11, label %94

11:
  %12 = phi i32 [ %92, %91 ], [ 0, %9 ]
  %13 = phi i64 [ %14, %91 ], [ 0, %9 ]
  %14 = add nsw i64 %13, 1
  %15 = icmp slt i64 %14, %1
  %16 = mul nsw i64 %13, %4
  br i1 %15, label %17, label %19

17:
  %18 = getelementptr double, ptr %3, i64 %16
  br label %32

19:
  %20 = phi i64 [ %13, %11 ], [ %42, %32 ]
  %21 = trunc i64 %20 to i32
  %22 = add nsw i32 %21, 1
  %23 = getelementptr inbounds i32, ptr %5, i64 %13
  store i32 %22, ptr %23, align 4
  %24 = getelementptr double, ptr %3, i64 %20
  %25 = getelementptr double, ptr %24, i64 %16
  %26 = load double, ptr %25, align 8
  %27 = fcmp oeq double %26, 0.000000e+00
  br i1 %27, label %45, label %28

28:
  %29 = icmp eq i64 %20, %13
  br i1 %29, label %50, label %30

30:
  %31 = getelementptr double, ptr %3, i64 %13
  br label %55

32:
  %33 = phi i64 [ %13, %17 ], [ %42, %32 ]
  %34 = phi i64 [ %14, %17 ], [ %43, %32 ]
  %35 = getelementptr double, ptr %18, i64 %34
  %36 = load double, ptr %35, align 8
  %37 = getelementptr double, ptr %18, i64 %33
  %38 = load double, ptr %37, align 8
  %39 = call double @llvm.fabs.f64(double %36)
  %40 = call double @llvm.fabs.f64(double %38)
  %41 = fcmp ogt double %39, %40
  %42 = select i1 %41, i64 %34, i64 %33
  %43 = add nsw i64 %34, 1
  %44 = icmp eq i64 %43, %1
  br i1 %44, label %19, label %32

45:
  %46 = icmp eq i32 %12, 0
  %47 = trunc i64 %13 to i32
  %48 = add nsw i32 %47, 1
  %49 = select i1 %46, i32 %48, i32 %12
  br label %91

50:
  %51 = getelementptr double, ptr %3, i64 %16
  br i1 %15, label %52, label %91

52:
  %53 = getelementptr double, ptr %3, i64 %13
  %54 = getelementptr double, ptr %53, i64 %16
  br label %64

55:
  %56 = phi i64 [ 0, %30 ], [ %62, %55 ]
  %57 = mul nsw i64 %56, %4
  %58 = getelementptr double, ptr %31, i64 %57
  %59 = load double, ptr %58, align 8
  %60 = getelementptr double, ptr %24, i64 %57
  %61 = load double, ptr %60, align 8
  store double %61, ptr %58, align 8
  store double %59, ptr %60, align 8
  %62 = add nsw i64 %56, 1
  %63 = icmp eq i64 %62, %1
  br i1 %63, label %50, label %55

64:
  %65 = phi i64 [ %14, %52 ], [ %70, %64 ]
  %66 = load double, ptr %54, align 8
  %67 = getelementptr double, ptr %51, i64 %65
  %68 = load double, ptr %67, align 8
  %69 = fdiv double %68, %66
  store double %69, ptr %67, align 8
  %70 = add nsw i64 %65, 1
  %71 = icmp eq i64 %70, %1
  br i1 %71, label %72, label %64

72:
  %73 = phi i64 [ %78, %77 ], [ %14, %64 ]
  %74 = mul nsw i64 %73, %4
  %75 = getelementptr double, ptr %53, i64 %74
  %76 = load double, ptr %75, align 8
  br label %80

77:
  %78 = add nsw i64 %73, 1
  %79 = icmp eq i64 %78, %1
  br i1 %79, label %91, label %72

80:
  %81 = phi i64 [ %89, %80 ], [ %14, %72 ]
  %82 = getelementptr double, ptr %3, i64 %81
  %83 = getelementptr double, ptr %82, i64 %16
  %84 = load double, ptr %83, align 8
  %85 = fmul double %76, %84
  %86 = getelementptr double, ptr %82, i64 %74
  %87 = load double, ptr %86, align 8
  %88 = fsub double %87, %85
  store double %88, ptr %86, align 8
  %89 = add nsw i64 %81, 1
  %90 = icmp eq i64 %89, %1
  br i1 %90, label %77, label %80

91:
  %92 = phi i32 [ %49, %45 ], [ %12, %50 ], [ %12, %77 ]
  %93 = icmp eq i64 %14, %1
  br i1 %93, label %94, label %11

94:
  %95 = phi i32 [ 0, %9 ], [ %92, %91 ]
  %96 = icmp eq i32 %95, 0
  %97 = icmp sgt i64 %2, 0
  %98 = and i1 %97, %96
  br i1 %98, label %99, label %349

99:
  %100 = add nsw i64 %1, -1
  %101 = mul nsw i64 %4, %100
  %102 = getelementptr double, ptr %3, i64 %100
  %103 = getelementptr double, ptr %102, i64 %101
  %104 = icmp ugt i64 %1, 1
  br label %105

105:
  %106 = phi i64 [ 0, %99 ], [ %176, %175 ]
  %107 = mul nsw i64 %106, %7
  %108 = getelementptr inbounds double, ptr %6, i64 %107
  br i1 %10, label %109, label %175

109:
  %110 = phi i64 [ %119, %109 ], [ 0, %105 ]
  %111 = getelementptr inbounds i32, ptr %5, i64 %110
  %112 = load i32, ptr %111, align 4
  %113 = getelementptr inbounds double, ptr %108, i64 %110
  %114 = load double, ptr %113, align 8
  %115 = sext i32 %112 to i64
  %116 = getelementptr double, ptr %108, i64 %115
  %117 = getelementptr i8, ptr %116, i64 -8
  %118 = load double, ptr %117, align 8
  store double %118, ptr %113, align 8
  store double %114, ptr %117, align 8
  %119 = add nsw i64 %110, 1
  %120 = icmp eq i64 %119, %1
  br i1 %120, label %128, label %109

121:
  %122 = icmp eq i64 %130, %1
  br i1 %122, label %123, label %128

123:
  %124 = load double, ptr %103, align 8
  %125 = getelementptr inbounds double, ptr %108, i64 %100
  %126 = load double, ptr %125, align 8
  %127 = fdiv double %126, %124
  store double %127, ptr %125, align 8
  br i1 %104, label %157, label %175

128:
  %129 = phi i64 [ %130, %121 ], [ 0, %109 ]
  %130 = add nsw i64 %129, 1
  %131 = icmp slt i64 %130, %1
  br i1 %131, label %132, label %121

132:
  %133 = mul nsw i64 %129, %4
  %134 = getelementptr double, ptr %3, i64 %133
  %135 = getelementptr inbounds double, ptr %108, i64 %129
  br label %136

136:
  %137 = phi i64 [ %130, %132 ], [ %145, %136 ]
  %138 = getelementptr double, ptr %134, i64 %137
  %139 = load double, ptr %138, align 8
  %140 = load double, ptr %135, align 8
  %141 = fmul double %139, %140
  %142 = getelementptr inbounds double, ptr %108, i64 %137
  %143 = load double, ptr %142, align 8
  %144 = fsub double %143, %141
  store double %144, ptr %142, align 8
  %145 = add nsw i64 %137, 1
  %146 = icmp eq i64 %145, %1
  br i1 %146, label %121, label %136

147:
  %148 = add nsw i64 %160, -1
  %149 = mul nsw i64 %148, %4
  %150 = getelementptr double, ptr %3, i64 %148
  %151 = getelementptr double, ptr %150, i64 %149
  %152 = load double, ptr %151, align 8
  %153 = getelementptr inbounds double, ptr %108, i64 %148
  %154 = load double, ptr %153, align 8
  %155 = fdiv double %154, %152
  store double %155, ptr %153, align 8
  %156 = icmp ugt i64 %160, 1
  br i1 %156, label %157, label %175

157:
  %158 = phi i64 [ %149, %147 ], [ %101, %123 ]
  %159 = phi ptr [ %153, %147 ], [ %125, %123 ]
  %160 = phi i64 [ %148, %147 ], [ %100, %123 ]
  %161 = phi i64 [ %162, %147 ], [ %1, %123 ]
  %162 = add nsw i64 %161, -1
  %163 = getelementptr double, ptr %3, i64 %158
  br label %164

164:
  %165 = phi i64 [ %173, %164 ], [ 0, %157 ]
  %166 = getelementptr double, ptr %163, i64 %165
  %167 = load double, ptr %166, align 8
  %168 = load double, ptr %159, align 8
  %169 = fmul double %167, %168
  %170 = getelementptr inbounds double, ptr %108, i64 %165
  %171 = load double, ptr %170, align 8
  %172 = fsub double %171, %169
  store double %172, ptr %170, align 8
  %173 = add nsw i64 %165, 1
  %174 = icmp eq i64 %173, %162
  br i1 %174, label %147, label %164

175:
  %176 = add nsw i64 %106, 1
  %177 = icmp eq i64 %176, %2
  br i1 %177, label %349, label %105

178:
  %179 = icmp sgt i64 %1, 0
  br i1 %179, label %180, label %263

180:
  %181 = phi i32 [ %261, %260 ], [ 0, %178 ]
  %182 = phi i64 [ %183, %260 ], [ 0, %178 ]
  %183 = add nsw i64 %182, 1
  %184 = icmp slt i64 %183, %1
  %185 = mul nsw i64 %182, %4
  br i1 %184, label %186, label %188

186:
  %187 = getelementptr float, ptr %3, i64 %185
  br label %201

188:
  %189 = phi i64 [ %182, %180 ], [ %211, %201 ]
  %190 = trunc i64 %189 to i32
  %191 = add nsw i32 %190, 1
  %192 = getelementptr inbounds i32, ptr %5, i64 %182
  store i32 %191, ptr %192, align 4
  %193 = getelementptr float, ptr %3, i64 %189
  %194 = getelementptr float, ptr %193, i64 %185
  %195 = load float, ptr %194, align 4
  %196 = fcmp oeq float %195, 0.000000e+00
  br i1 %196, label %214, label %197

197:
  %198 = icmp eq i64 %189, %182
  br i1 %198, label %219, label %199

199:
  %200 = getelementptr float, ptr %3, i64 %182
  br label %224

201:
  %202 = phi i64 [ %182, %186 ], [ %211, %201 ]
  %203 = phi i64 [ %183, %186 ], [ %212, %201 ]
  %204 = getelementptr float, ptr %187, i64 %203
  %205 = load float, ptr %204, align 4
  %206 = getelementptr float, ptr %187, i64 %202
  %207 = load float, ptr %206, align 4
  %208 = call float @llvm.fabs.f32(float %205)
  %209 = call float @llvm.fabs.f32(float %207)
  %210 = fcmp ogt float %208, %209
  %211 = select i1 %210, i64 %203, i64 %202
  %212 = add nsw i64 %203, 1
  %213 = icmp eq i64 %212, %1
  br i1 %213, label %188, label %201

214:
  %215 = icmp eq i32 %181, 0
  %216 = trunc i64 %182 to i32
  %217 = add nsw i32 %216, 1
  %218 = select i1 %215, i32 %217, i32 %181
  br label %260

219:
  %220 = getelementptr float, ptr %3, i64 %185
  br i1 %184, label %221, label %260

221:
  %222 = getelementptr float, ptr %3, i64 %182
  %223 = getelementptr float, ptr %222, i64 %185
  br label %233

224:
  %225 = phi i64 [ 0, %199 ], [ %231, %224 ]
  %226 = mul nsw i64 %225, %4
  %227 = getelementptr float, ptr %200, i64 %226
  %228 = load float, ptr %227, align 4
  %229 = getelementptr float, ptr %193, i64 %226
  %230 = load float, ptr %229, align 4
  store float %230, ptr %227, align 4
  store float %228, ptr %229, align 4
  %231 = add nsw i64 %225, 1
  %232 = icmp eq i64 %231, %1
  br i1 %232, label %219, label %224

233:
  %234 = phi i64 [ %183, %221 ], [ %239, %233 ]
  %235 = load float, ptr %223, align 4
  %236 = getelementptr float, ptr %220, i64 %234
  %237 = load float, ptr %236, align 4
  %238 = fdiv float %237, %235
  store float %238, ptr %236, align 4
  %239 = add nsw i64 %234, 1
  %240 = icmp eq i64 %239, %1
  br i1 %240, label %241, label %233

241:
  %242 = phi i64 [ %247, %246 ], [ %183, %233 ]
  %243 = mul nsw i64 %242, %4
  %244 = getelementptr float, ptr %222, i64 %243
  %245 = load float, ptr %244, align 4
  br label %249

246:
  %247 = add nsw i64 %242, 1
  %248 = icmp eq i64 %247, %1
  br i1 %248, label %260, label %241

249:
  %250 = phi i64 [ %258, %249 ], [ %183, %241 ]
  %251 = getelementptr float, ptr %3, i64 %250
  %252 = getelementptr float, ptr %251, i64 %185
  %253 = load float, ptr %252, align 4
  %254 = fmul float %245, %253
  %255 = getelementptr float, ptr %251, i64 %243
  %256 = load float, ptr %255, align 4
  %257 = fsub float %256, %254
  store float %257, ptr %255, align 4
  %258 = add nsw i64 %250, 1
  %259 = icmp eq i64 %258, %1
  br i1 %259, label %246, label %249

260:
  %261 = phi i32 [ %218, %214 ], [ %181, %219 ], [ %181, %246 ]
  %262 = icmp eq i64 %183, %1
  br i1 %262, label %263, label %180

263:
  %264 = phi i32 [ 0, %178 ], [ %261, %260 ]
  %265 = icmp eq i32 %264, 0
  %266 = icmp sgt i64 %2, 0
  %267 = and i1 %266, %265
  br i1 %267, label %268, label %349

268:
  %269 = add nsw i64 %1, -1
  %270 = mul nsw i64 %4, %269
  %271 = getelementptr float, ptr %3, i64 %269
  %272 = getelementptr float, ptr %271, i64 %270
  %273 = icmp ugt i64 %1, 1
  br label %274

274:
  %275 = phi i64 [ 0, %268 ], [ %345, %344 ]
  %276 = mul nsw i64 %275, %7
  %277 = getelementptr inbounds float, ptr %6, i64 %276
  br i1 %179, label %278, label %344

278:
  %279 = phi i64 [ %288, %278 ], [ 0, %274 ]
  %280 = getelementptr inbounds i32, ptr %5, i64 %279
  %281 = load i32, ptr %280, align 4
  %282 = getelementptr inbounds float, ptr %277, i64 %279
  %283 = load float, ptr %282, align 4
  %284 = sext i32 %281 to i64
  %285 = getelementptr float, ptr %277, i64 %284
  %286 = getelementptr i8, ptr %285, i64 -4
  %287 = load float, ptr %286, align 4
  store float %287, ptr %282, align 4
  store float %283, ptr %286, align 4
  %288 = add nsw i64 %279, 1
  %289 = icmp eq i64 %288, %1
  br i1 %289, label %297, label %278

290:
  %291 = icmp eq i64 %299, %1
  br i1 %291, label %292, label %297

292:
  %293 = load float, ptr %272, align 4
  %294 = getelementptr inbounds float, ptr %277, i64 %269
  %295 = load float, ptr %294, align 4
  %296 = fdiv float %295, %293
  store float %296, ptr %294, align 4
  br i1 %273, label %326, label %344

297:
  %298 = phi i64 [ %299, %290 ], [ 0, %278 ]
  %299 = add nsw i64 %298, 1
  %300 = icmp slt i64 %299, %1
  br i1 %300, label %301, label %290

301:
  %302 = mul nsw i64 %298, %4
  %303 = getelementptr float, ptr %3, i64 %302
  %304 = getelementptr inbounds float, ptr %277, i64 %298
  br label %305

305:
  %306 = phi i64 [ %299, %301 ], [ %314, %305 ]
  %307 = getelementptr float, ptr %303, i64 %306
  %308 = load float, ptr %307, align 4
  %309 = load float, ptr %304, align 4
  %310 = fmul float %308, %309
  %311 = getelementptr inbounds float, ptr %277, i64 %306
  %312 = load float, ptr %311, align 4
  %313 = fsub float %312, %310
  store float %313, ptr %311, align 4
  %314 = add nsw i64 %306, 1
  %315 = icmp eq i64 %314, %1
  br i1 %315, label %290, label %305

316:
  %317 = add nsw i64 %329, -1
  %318 = mul nsw i64 %317, %4
  %319 = getelementptr float, ptr %3, i64 %317
  %320 = getelementptr float, ptr %319, i64 %318
  %321 = load float, ptr %320, align 4
  %322 = getelementptr inbounds float, ptr %277, i64 %317
  %323 = load float, ptr %322, align 4
  %324 = fdiv float %323, %321
  store float %324, ptr %322, align 4
  %325 = icmp ugt i64 %329, 1
  br i1 %325, label %326, label %344

326:
  %327 = phi i64 [ %318, %316 ], [ %270, %292 ]
  %328 = phi ptr [ %322, %316 ], [ %294, %292 ]
  %329 = phi i64 [ %317, %316 ], [ %269, %292 ]
  %330 = phi i64 [ %331, %316 ], [ %1, %292 ]
  %331 = add nsw i64 %330, -1
  %332 = getelementptr float, ptr %3, i64 %327
  br label %333

333:
  %334 = phi i64 [ %342, %333 ], [ 0, %326 ]
  %335 = getelementptr float, ptr %332, i64 %334
  %336 = load float, ptr %335, align 4
  %337 = load float, ptr %328, align 4
  %338 = fmul float %336, %337
  %339 = getelementptr inbounds float, ptr %277, i64 %334
  %340 = load float, ptr %339, align 4
  %341 = fsub float %340, %338
  store float %341, ptr %339, align 4
  %342 = add nsw i64 %334, 1
  %343 = icmp eq i64 %342, %331
  br i1 %343, label %316, label %333

344:
  %345 = add nsw i64 %275, 1
  %346 = icmp eq i64 %345, %2
  br i1 %346, label %349, label %274

347:
  %348 = call i32 @factorisation_of_complex_numbers()
  br label %349

349:
  %350 = phi i32 [ %348, %347 ], [ 0, %175 ], [ %95, %94 ], [ %264, %263 ], [ 0, %344 ]
  ret i32 %350
}
define internal i32 @gradir.body.numba_xxpotrf(i8 %0, i8 %1, i64 %2, ptr %3, i64 %4) {
5:
  switch i8 %0, label %124 [    i8 100, label %6    i8 115, label %65  ]

6:
  %7 = and i8 %1, -33
  %8 = icmp eq i8 %7, 85
  %9 = select i1 %8, i64 %4, i64 1
  %10 = select i1 %8, i64 1, i64 %4
  %11 = icmp sgt i64 %2, 0
  br i1 %11, label %12, label %126

12:
  %13 = phi i64 [ %38, %63 ], [ 0, %6 ]
  %14 = mul nsw i64 %13, %9
  %15 = mul nsw i64 %13, %10
  %16 = getelementptr double, ptr %3, i64 %14
  %17 = getelementptr double, ptr %16, i64 %15
  %18 = load double, ptr %17, align 8
  %19 = icmp eq i64 %13, 0
  br i1 %19, label %20, label %23

20:
  %21 = phi double [ %18, %12 ], [ %30, %23 ]
  %22 = fcmp ogt double %21, 0.000000e+00
  br i1 %22, label %36, label %33

23:
  %24 = phi i64 [ %31, %23 ], [ 0, %12 ]
  %25 = phi double [ %30, %23 ], [ %18, %12 ]
  %26 = mul nsw i64 %24, %10
  %27 = getelementptr double, ptr %16, i64 %26
  %28 = load double, ptr %27, align 8
  %29 = fmul double %28, %28
  %30 = fsub double %25, %29
  %31 = add nsw i64 %24, 1
  %32 = icmp eq i64 %31, %13
  br i1 %32, label %20, label %23

33:
  %34 = trunc i64 %13 to i32
  %35 = add nsw i32 %34, 1
  br label %126

36:
  %37 = call double @llvm.sqrt.f64(double %21)
  store double %37, ptr %17, align 8
  %38 = add nsw i64 %13, 1
  %39 = icmp slt i64 %38, %2
  br i1 %39, label %40, label %63

40:
  %41 = phi i64 [ %49, %46 ], [ %38, %36 ]
  %42 = mul nsw i64 %41, %9
  %43 = getelementptr double, ptr %3, i64 %42
  %44 = getelementptr double, ptr %43, i64 %15
  %45 = load double, ptr %44, align 8
  br i1 %19, label %46, label %51

46:
  %47 = phi double [ %45, %40 ], [ %60, %51 ]
  %48 = fdiv double %47, %37
  store double %48, ptr %44, align 8
  %49 = add nsw i64 %41, 1
  %50 = icmp eq i64 %49, %2
  br i1 %50, label %63, label %40

51:
  %52 = phi i64 [ %61, %51 ], [ 0, %40 ]
  %53 = phi double [ %60, %51 ], [ %45, %40 ]
  %54 = mul nsw i64 %52, %10
  %55 = getelementptr double, ptr %43, i64 %54
  %56 = load double, ptr %55, align 8
  %57 = getelementptr double, ptr %16, i64 %54
  %58 = load double, ptr %57, align 8
  %59 = fmul double %56, %58
  %60 = fsub double %53, %59
  %61 = add nsw i64 %52, 1
  %62 = icmp eq i64 %61, %13
  br i1 %62, label %46, label %51

63:
  %64 = icmp eq i64 %38, %2
  br i1 %64, label %126, label %12

65:
  %66 = and i8 %1, -33
  %67 = icmp eq i8 %66, 85
  %68 = select i1 %67, i64 %4, i64 1
  %69 = select i1 %67, i64 1, i64 %4
  %70 = icmp sgt i64 %2, 0
  br i1 %70, label %71, label %126

71:
  %72 = phi i64 [ %97, %122 ], [ 0, %65 ]
  %73 = mul nsw i64 %72, %68
  %74 = mul nsw i64 %72, %69
  %75 = getelementptr float, ptr %3, i64 %73
  %76 = getelementptr float, ptr %75, i64 %74
  %77 = load float, ptr %76, align 4
  %78 = icmp eq i64 %72, 0
  br i1 %78, label %79, label %82

79:
  %80 = phi float [ %77, %71 ], [ %89, %82 ]
  %81 = fcmp ogt float %80, 0.000000e+00
  br i1 %81, label %95, label %92

82:
  %83 = phi i64 [ %90, %82 ], [ 0, %71 ]
  %84 = phi float [ %89, %82 ], [ %77, %71 ]
  %85 = mul nsw i64 %83, %69
  %86 = getelementptr float, ptr %75, i64 %85
  %87 = load float, ptr %86, align 4
  %88 = fmul float %87, %87
  %89 = fsub float %84, %88
  %90 = add nsw i64 %83, 1
  %91 = icmp eq i64 %90, %72
  br i1 %91, label %79, label %82

92:
  %93 = trunc i64 %72 to i32
  %94 = add nsw i32 %93, 1
  br label %126

95:
  %96 = call float @llvm.sqrt.f32(float %80)
  store float %96, ptr %76, align 4
  %97 = add nsw i64 %72, 1
  %98 = icmp slt i64 %97, %2
  br i1 %98, label %99, label %122

99:
  %100 = phi i64 [ %108, %105 ], [ %97, %95 ]
  %101 = mul nsw i64 %100, %68
  %102 = getelementptr float, ptr %3, i64 %101
  %103 = getelementptr float, ptr %102, i64 %74
  %104 = load float, ptr %103, align 4
  br i1 %78, label %105, label %110

105:
  %106 = phi float [ %104, %99 ], [ %119, %110 ]
  %107 = fdiv float %106, %96
  store float %107, ptr %103, align 4
  %108 = add nsw i64 %100, 1
  %109 = icmp eq i64 %108, %2
  br i1 %109, label %122, label %99

110:
  %111 = phi i64 [ %120, %110 ], [ 0, %99 ]
  %112 = phi float [ %119, %110 ], [ %104, %99 ]
  %113 = mul nsw i64 %111, %69
  %114 = getelementptr float, ptr %102, i64 %113
  %115 = load float, ptr %114, align 4
  %116 = getelementptr float, ptr %75, i64 %113
  %117 = load float, ptr %116, align 4
  %118 = fmul float %115, %117
  %119 = fsub float %112, %118
  %120 = add nsw i64 %111, 1
  %121 = icmp eq i64 %120, %72
  br i1 %121, label %105, label %110

122:
  %123 = icmp eq i64 %97, %2
  br i1 %123, label %126, label %71

124:
  %125 = call i32 @factorisation_of_complex_numbers()
  br label %126

126:
  %127 = phi i32 [ %125, %124 ], [ 0, %63 ], [ %35, %33 ], [ 0, %6 ], [ %94, %92 ], [ 0, %65 ], [ 0, %122 ]
  ret i32 %127
}
define internal i32 @gradir.body.numba_xxnrm2(i8 %0, i64 %1, ptr %2, i64 %3, ptr %4) {
5:
  switch i8 %0, label %38 [    i8 100, label %6    i8 115, label %22  ]

6:
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %10, label %20

8:
  %9 = call double @llvm.sqrt.f64(double %17)
  br label %20

10:
  %11 = phi i64 [ %18, %10 ], [ 0, %6 ]
  %12 = phi double [ %17, %10 ], [ 0.000000e+00, %6 ]
  %13 = mul nsw i64 %11, %3
  %14 = getelementptr inbounds double, ptr %2, i64 %13
  %15 = load double, ptr %14, align 8
  %16 = fmul double %15, %15
  %17 = fadd double %12, %16
  %18 = add nsw i64 %11, 1
  %19 = icmp eq i64 %18, %1
  br i1 %19, label %8, label %10

20:
  %21 = phi double [ 0.000000e+00, %6 ], [ %9, %8 ]
  store double %21, ptr %4, align 8
  br label %40

22:
  %23 = icmp sgt i64 %1, 0
  br i1 %23, label %26, label %36

24:
  %25 = call float @llvm.sqrt.f32(float %33)
  br label %36

26:
  %27 = phi i64 [ %34, %26 ], [ 0, %22 ]
  %28 = phi float [ %33, %26 ], [ 0.000000e+00, %22 ]
  %29 = mul nsw i64 %27, %3
  %30 = getelementptr inbounds float, ptr %2, i64 %29
  %31 = load float, ptr %30, align 4
  %32 = fmul float %31, %31
  %33 = fadd float %28, %32
  %34 = add nsw i64 %27, 1
  %35 = icmp eq i64 %34, %1
  br i1 %35, label %24, label %26

36:
  %37 = phi float [ 0.000000e+00, %22 ], [ %25, %24 ]
  store float %37, ptr %4, align 4
  br label %40

38:
  %39 = call i32 @factorisation_of_complex_numbers()
  br label %40

40:
  %41 = phi i32 [ %39, %38 ], [ 0, %36 ], [ 0, %20 ]
  ret i32 %41
}
define internal i32 @gradir.body.numba_attempt_nocopy_reshape(i64 %0, ptr %1, ptr %2, i64 %3, ptr %4, ptr %5, i64 %6, i32 %7) {
8:
  %9 = icmp eq i32 %7, 0
  %10 = icmp sgt i64 %0, 0
  %11 = icmp sgt i64 %3, 0
  %12 = or i1 %10, %11
  br i1 %12, label %13, label %131

13:
  %14 = phi i1 [ %129, %126 ], [ %11, %8 ]
  %15 = phi i1 [ %128, %126 ], [ %10, %8 ]
  %16 = phi i64 [ %103, %126 ], [ 0, %8 ]
  %17 = phi i64 [ %101, %126 ], [ 0, %8 ]
  %18 = phi i64 [ %127, %126 ], [ %6, %8 ]
  br i1 %15, label %19, label %27

19:
  %20 = phi i64 [ %24, %25 ], [ %16, %13 ]
  %21 = getelementptr inbounds i64, ptr %1, i64 %20
  %22 = load i64, ptr %21, align 8
  %23 = icmp eq i64 %22, 1
  %24 = add i64 %20, 1
  br i1 %23, label %25, label %27

25:
  %26 = icmp eq i64 %24, %0
  br i1 %26, label %27, label %19

27:
  %28 = phi i64 [ %16, %13 ], [ %0, %25 ], [ %20, %19 ]
  %29 = phi i64 [ 1, %13 ], [ 1, %25 ], [ %22, %19 ]
  %30 = phi i64 [ -1, %13 ], [ -1, %25 ], [ %20, %19 ]
  %31 = phi i64 [ %16, %13 ], [ %0, %25 ], [ %24, %19 ]
  br i1 %14, label %32, label %36

32:
  %33 = add nsw i64 %17, 1
  %34 = getelementptr inbounds i64, ptr %4, i64 %17
  %35 = load i64, ptr %34, align 8
  br label %36

36:
  %37 = phi i64 [ %35, %32 ], [ 1, %27 ]
  %38 = phi i64 [ %33, %32 ], [ %17, %27 ]
  %39 = icmp eq i64 %29, %37
  br i1 %39, label %100, label %40

40:
  %41 = phi i64 [ %98, %93 ], [ %31, %36 ]
  %42 = phi i64 [ %97, %93 ], [ %30, %36 ]
  %43 = phi i64 [ %96, %93 ], [ %38, %36 ]
  %44 = phi i64 [ %95, %93 ], [ %37, %36 ]
  %45 = phi i64 [ %94, %93 ], [ %29, %36 ]
  %46 = icmp slt i64 %44, %45
  br i1 %46, label %49, label %47

47:
  %48 = icmp slt i64 %41, %0
  br i1 %48, label %56, label %64

49:
  %50 = icmp eq i64 %43, %3
  br i1 %50, label %131, label %51

51:
  %52 = add nsw i64 %43, 1
  %53 = getelementptr inbounds i64, ptr %4, i64 %43
  %54 = load i64, ptr %53, align 8
  %55 = mul nsw i64 %54, %44
  br label %93

56:
  %57 = phi i64 [ %62, %61 ], [ %41, %47 ]
  %58 = getelementptr inbounds i64, ptr %1, i64 %57
  %59 = load i64, ptr %58, align 8
  %60 = icmp eq i64 %59, 1
  br i1 %60, label %61, label %64

61:
  %62 = add i64 %57, 1
  %63 = icmp eq i64 %62, %0
  br i1 %63, label %131, label %56

64:
  %65 = phi i64 [ %41, %47 ], [ %57, %56 ]
  %66 = icmp eq i64 %65, %0
  br i1 %66, label %131, label %67

67:
  br i1 %9, label %80, label %68

68:
  %69 = getelementptr inbounds i64, ptr %2, i64 %65
  %70 = load i64, ptr %69, align 8
  %71 = getelementptr inbounds i64, ptr %1, i64 %42
  %72 = load i64, ptr %71, align 8
  %73 = getelementptr inbounds i64, ptr %2, i64 %42
  %74 = load i64, ptr %73, align 8
  %75 = mul nsw i64 %74, %72
  %76 = icmp eq i64 %70, %75
  br i1 %76, label %77, label %131

77:
  %78 = getelementptr inbounds i64, ptr %1, i64 %65
  %79 = load i64, ptr %78, align 8
  br label %89

80:
  %81 = getelementptr inbounds i64, ptr %2, i64 %42
  %82 = load i64, ptr %81, align 8
  %83 = getelementptr inbounds i64, ptr %1, i64 %65
  %84 = load i64, ptr %83, align 8
  %85 = getelementptr inbounds i64, ptr %2, i64 %65
  %86 = load i64, ptr %85, align 8
  %87 = mul nsw i64 %86, %84
  %88 = icmp eq i64 %82, %87
  br i1 %88, label %89, label %131

89:
  %90 = phi i64 [ %79, %77 ], [ %84, %80 ]
  %91 = mul nsw i64 %90, %45
  %92 = add nsw i64 %65, 1
  br label %93

93:
  %94 = phi i64 [ %45, %51 ], [ %91, %89 ]
  %95 = phi i64 [ %55, %51 ], [ %44, %89 ]
  %96 = phi i64 [ %52, %51 ], [ %43, %89 ]
  %97 = phi i64 [ %42, %51 ], [ %65, %89 ]
  %98 = phi i64 [ %41, %51 ], [ %92, %89 ]
  %99 = icmp eq i64 %94, %95
  br i1 %99, label %100, label %40

100:
  %101 = phi i64 [ %38, %36 ], [ %96, %93 ]
  %102 = phi i64 [ %30, %36 ], [ %97, %93 ]
  %103 = phi i64 [ %31, %36 ], [ %98, %93 ]
  %104 = icmp sgt i64 %102, -1
  br i1 %104, label %105, label %109

105:
  %106 = select i1 %9, i64 %102, i64 %28
  %107 = getelementptr inbounds i64, ptr %2, i64 %106
  %108 = load i64, ptr %107, align 8
  br label %109

109:
  %110 = phi i64 [ %108, %105 ], [ %18, %100 ]
  %111 = sub nsw i64 %101, %17
  %112 = icmp sgt i64 %111, 0
  br i1 %112, label %113, label %126

113:
  %114 = phi i64 [ %124, %113 ], [ 0, %109 ]
  %115 = phi i64 [ %123, %113 ], [ %110, %109 ]
  %116 = add nsw i64 %114, %17
  %117 = xor i64 %114, -1
  %118 = add i64 %101, %117
  %119 = select i1 %9, i64 %118, i64 %116
  %120 = getelementptr inbounds i64, ptr %5, i64 %119
  store i64 %115, ptr %120, align 8
  %121 = getelementptr inbounds i64, ptr %4, i64 %119
  %122 = load i64, ptr %121, align 8
  %123 = mul nsw i64 %122, %115
  %124 = add nsw i64 %114, 1
  %125 = icmp eq i64 %124, %111
  br i1 %125, label %126, label %113

126:
  %127 = phi i64 [ %110, %109 ], [ %123, %113 ]
  %128 = icmp slt i64 %103, %0
  %129 = icmp slt i64 %101, %3
  %130 = select i1 %128, i1 true, i1 %129
  br i1 %130, label %13, label %131

131:
  %132 = phi i32 [ 0, %61 ], [ 1, %8 ], [ 0, %68 ], [ 0, %49 ], [ 0, %64 ], [ 0, %80 ], [ 1, %126 ]
  ret i32 %132
}
declare double @llvm.tan.f64(double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare double @llvm.log.f64(double)
declare double @llvm.pow.f64(double, double)
declare double @logb(double)
declare double @llvm.ldexp.f64.i32(double, i32)
declare double @llvm.exp.f64(double)
declare double @log1p(double)
declare float @logbf(float)
declare float @llvm.ldexp.f32.i32(float, i32)
declare float @llvm.exp.f32(float)
declare float @llvm.log.f32(float)
declare float @llvm.tan.f32(float)
declare float @log1pf(float)
declare void @gradir.objects.initialize(ptr, ptr)
declare void @gradir.objects.destroy(ptr, ptr)
define internal void @gradir.library.fortran_assign(ptr %0, ptr %1) {
2:
  %3 = getelementptr inbounds i8, ptr %1, i64 21
  %4 = load i8, ptr %3, align 1
  %5 = icmp eq i8 %4, 34
  %6 = and i8 %4, -2
  %7 = icmp eq i8 %6, 34
  switch i8 %4, label %304 [    i8 28, label %8    i8 35, label %8    i8 27, label %156    i8 34, label %156  ]

8:
  %9 = getelementptr inbounds i8, ptr %1, i64 20
  %10 = load i8, ptr %9, align 4
  %11 = icmp eq i8 %10, 0
  br i1 %11, label %12, label %18

12:
  %13 = load ptr, ptr %1, align 8
  %14 = load double, ptr %13, align 8
  br i1 %7, label %15, label %18

15:
  %16 = getelementptr inbounds i8, ptr %13, i64 8
  %17 = load double, ptr %16, align 8
  br label %18

18:
  %19 = phi double [ %14, %15 ], [ %14, %12 ], [ 0.000000e+00, %8 ]
  %20 = phi double [ %17, %15 ], [ 0.000000e+00, %12 ], [ 0.000000e+00, %8 ]
  %21 = getelementptr inbounds i8, ptr %0, i64 20
  %22 = load i8, ptr %21, align 4
  %23 = icmp sgt i8 %22, 1
  %24 = zext i8 %22 to i64
  %25 = getelementptr inbounds i8, ptr %0, i64 32
  %26 = icmp eq i8 %22, 0
  %27 = icmp slt i8 %22, 3
  %28 = getelementptr inbounds i8, ptr %0, i64 24
  %29 = icmp eq i8 %22, 2
  %30 = getelementptr inbounds i8, ptr %0, i64 64
  %31 = getelementptr inbounds i8, ptr %0, i64 40
  %32 = icmp slt i8 %10, 3
  %33 = getelementptr inbounds i8, ptr %1, i64 24
  %34 = zext i8 %10 to i64
  %35 = icmp eq i8 %10, 2
  %36 = getelementptr inbounds i8, ptr %1, i64 64
  %37 = getelementptr inbounds i8, ptr %1, i64 40
  br label %38

38:
  %39 = phi i64 [ 0, %18 ], [ %62, %61 ]
  br i1 %23, label %40, label %49

40:
  %41 = phi i64 [ %47, %40 ], [ 1, %38 ]
  %42 = phi i64 [ %46, %40 ], [ 1, %38 ]
  %43 = getelementptr inbounds %struct.dimension, ptr %0, i64 %41
  %44 = getelementptr inbounds i8, ptr %43, i64 32
  %45 = load i64, ptr %44, align 8
  %46 = mul nsw i64 %45, %42
  %47 = add nsw i64 %41, 1
  %48 = icmp eq i64 %47, %24
  br i1 %48, label %49, label %40

49:
  %50 = phi i64 [ 1, %38 ], [ %46, %40 ]
  %51 = icmp slt i64 %39, %50
  br i1 %51, label %52, label %735

52:
  %53 = phi i64 [ %155, %154 ], [ 0, %49 ]
  br i1 %26, label %57, label %54

54:
  %55 = load i64, ptr %25, align 8
  %56 = icmp slt i64 %53, %55
  br i1 %56, label %63, label %61

57:
  %58 = icmp eq i64 %53, 0
  br i1 %58, label %59, label %61

59:
  %60 = load ptr, ptr %0, align 8
  br label %84

61:
  %62 = add nsw i64 %39, 1
  br label %38

63:
  %64 = load ptr, ptr %0, align 8
  br i1 %27, label %65, label %69

65:
  br i1 %29, label %66, label %84

66:
  %67 = load i64, ptr %30, align 8
  %68 = mul nsw i64 %67, %39
  br label %84

69:
  %70 = phi i64 [ %82, %69 ], [ 1, %63 ]
  %71 = phi i64 [ %80, %69 ], [ 0, %63 ]
  %72 = phi i64 [ %81, %69 ], [ %39, %63 ]
  %73 = getelementptr inbounds %struct.dimension, ptr %28, i64 %70
  %74 = getelementptr inbounds i8, ptr %73, i64 8
  %75 = load i64, ptr %74, align 8
  %76 = srem i64 %72, %75
  %77 = getelementptr inbounds i8, ptr %73, i64 16
  %78 = load i64, ptr %77, align 8
  %79 = mul nsw i64 %78, %76
  %80 = add nsw i64 %79, %71
  %81 = sdiv i64 %72, %75
  %82 = add nsw i64 %70, 1
  %83 = icmp eq i64 %82, %24
  br i1 %83, label %84, label %69

84:
  %85 = phi ptr [ %64, %65 ], [ %64, %66 ], [ %60, %59 ], [ %64, %69 ]
  %86 = phi i64 [ 0, %65 ], [ %68, %66 ], [ 0, %59 ], [ %80, %69 ]
  %87 = getelementptr inbounds i8, ptr %85, i64 %86
  %88 = load i64, ptr %31, align 8
  %89 = mul nsw i64 %88, %53
  %90 = getelementptr inbounds i8, ptr %87, i64 %89
  br i1 %11, label %109, label %91

91:
  %92 = load ptr, ptr %1, align 8
  br i1 %32, label %93, label %94

93:
  br i1 %35, label %110, label %118

94:
  %95 = phi i64 [ %107, %94 ], [ 1, %91 ]
  %96 = phi i64 [ %105, %94 ], [ 0, %91 ]
  %97 = phi i64 [ %106, %94 ], [ %39, %91 ]
  %98 = getelementptr inbounds %struct.dimension, ptr %33, i64 %95
  %99 = getelementptr inbounds i8, ptr %98, i64 8
  %100 = load i64, ptr %99, align 8
  %101 = srem i64 %97, %100
  %102 = getelementptr inbounds i8, ptr %98, i64 16
  %103 = load i64, ptr %102, align 8
  %104 = mul nsw i64 %103, %101
  %105 = add nsw i64 %104, %96
  %106 = sdiv i64 %97, %100
  %107 = add nsw i64 %95, 1
  %108 = icmp eq i64 %107, %34
  br i1 %108, label %123, label %94

109:
  store double %19, ptr %90, align 8
  br i1 %7, label %151, label %154

110:
  %111 = load i64, ptr %36, align 8
  %112 = mul nsw i64 %111, %39
  %113 = getelementptr inbounds i8, ptr %92, i64 %112
  %114 = load i64, ptr %37, align 8
  %115 = mul nsw i64 %114, %53
  %116 = getelementptr inbounds i8, ptr %113, i64 %115
  %117 = load double, ptr %116, align 8
  store double %117, ptr %90, align 8
  br i1 %7, label %144, label %154

118:
  %119 = load i64, ptr %37, align 8
  %120 = mul nsw i64 %119, %53
  %121 = getelementptr inbounds i8, ptr %92, i64 %120
  %122 = load double, ptr %121, align 8
  store double %122, ptr %90, align 8
  br i1 %7, label %144, label %154

123:
  %124 = getelementptr inbounds i8, ptr %92, i64 %105
  %125 = load i64, ptr %37, align 8
  %126 = mul nsw i64 %125, %53
  %127 = getelementptr inbounds i8, ptr %124, i64 %126
  %128 = load double, ptr %127, align 8
  store double %128, ptr %90, align 8
  br i1 %7, label %129, label %154

129:
  %130 = phi i64 [ %142, %129 ], [ 1, %123 ]
  %131 = phi i64 [ %140, %129 ], [ 0, %123 ]
  %132 = phi i64 [ %141, %129 ], [ %39, %123 ]
  %133 = getelementptr inbounds %struct.dimension, ptr %33, i64 %130
  %134 = getelementptr inbounds i8, ptr %133, i64 8
  %135 = load i64, ptr %134, align 8
  %136 = srem i64 %132, %135
  %137 = getelementptr inbounds i8, ptr %133, i64 16
  %138 = load i64, ptr %137, align 8
  %139 = mul nsw i64 %138, %136
  %140 = add nsw i64 %139, %131
  %141 = sdiv i64 %132, %135
  %142 = add nsw i64 %130, 1
  %143 = icmp eq i64 %142, %34
  br i1 %143, label %144, label %129

144:
  %145 = phi i64 [ %120, %118 ], [ %115, %110 ], [ %126, %129 ]
  %146 = phi i64 [ 0, %118 ], [ %112, %110 ], [ %140, %129 ]
  %147 = getelementptr inbounds i8, ptr %92, i64 %146
  %148 = getelementptr inbounds i8, ptr %147, i64 %145
  %149 = getelementptr inbounds i8, ptr %148, i64 8
  %150 = load double, ptr %149, align 8
  br label %151

151:
  %152 = phi double [ %150, %144 ], [ %20, %109 ]
  %153 = getelementptr inbounds i8, ptr %90, i64 8
  store double %152, ptr %153, align 8
  br label %154

154:
  %155 = add nsw i64 %53, 1
  br label %52

156:
  %157 = getelementptr inbounds i8, ptr %1, i64 20
  %158 = load i8, ptr %157, align 4
  %159 = icmp eq i8 %158, 0
  br i1 %159, label %160, label %166

160:
  %161 = load ptr, ptr %1, align 8
  %162 = load float, ptr %161, align 4
  br i1 %5, label %163, label %166

163:
  %164 = getelementptr inbounds i8, ptr %161, i64 4
  %165 = load float, ptr %164, align 4
  br label %166

166:
  %167 = phi float [ %162, %163 ], [ %162, %160 ], [ 0.000000e+00, %156 ]
  %168 = phi float [ %165, %163 ], [ 0.000000e+00, %160 ], [ 0.000000e+00, %156 ]
  %169 = getelementptr inbounds i8, ptr %0, i64 20
  %170 = load i8, ptr %169, align 4
  %171 = icmp sgt i8 %170, 1
  %172 = zext i8 %170 to i64
  %173 = getelementptr inbounds i8, ptr %0, i64 32
  %174 = icmp eq i8 %170, 0
  %175 = icmp slt i8 %170, 3
  %176 = getelementptr inbounds i8, ptr %0, i64 24
  %177 = icmp eq i8 %170, 2
  %178 = getelementptr inbounds i8, ptr %0, i64 64
  %179 = getelementptr inbounds i8, ptr %0, i64 40
  %180 = icmp slt i8 %158, 3
  %181 = getelementptr inbounds i8, ptr %1, i64 24
  %182 = zext i8 %158 to i64
  %183 = icmp eq i8 %158, 2
  %184 = getelementptr inbounds i8, ptr %1, i64 64
  %185 = getelementptr inbounds i8, ptr %1, i64 40
  br label %186

186:
  %187 = phi i64 [ 0, %166 ], [ %210, %209 ]
  br i1 %171, label %188, label %197

188:
  %189 = phi i64 [ %195, %188 ], [ 1, %186 ]
  %190 = phi i64 [ %194, %188 ], [ 1, %186 ]
  %191 = getelementptr inbounds %struct.dimension, ptr %0, i64 %189
  %192 = getelementptr inbounds i8, ptr %191, i64 32
  %193 = load i64, ptr %192, align 8
  %194 = mul nsw i64 %193, %190
  %195 = add nsw i64 %189, 1
  %196 = icmp eq i64 %195, %172
  br i1 %196, label %197, label %188

197:
  %198 = phi i64 [ 1, %186 ], [ %194, %188 ]
  %199 = icmp slt i64 %187, %198
  br i1 %199, label %200, label %735

200:
  %201 = phi i64 [ %303, %302 ], [ 0, %197 ]
  br i1 %174, label %205, label %202

202:
  %203 = load i64, ptr %173, align 8
  %204 = icmp slt i64 %201, %203
  br i1 %204, label %211, label %209

205:
  %206 = icmp eq i64 %201, 0
  br i1 %206, label %207, label %209

207:
  %208 = load ptr, ptr %0, align 8
  br label %232

209:
  %210 = add nsw i64 %187, 1
  br label %186

211:
  %212 = load ptr, ptr %0, align 8
  br i1 %175, label %213, label %217

213:
  br i1 %177, label %214, label %232

214:
  %215 = load i64, ptr %178, align 8
  %216 = mul nsw i64 %215, %187
  br label %232

217:
  %218 = phi i64 [ %230, %217 ], [ 1, %211 ]
  %219 = phi i64 [ %228, %217 ], [ 0, %211 ]
  %220 = phi i64 [ %229, %217 ], [ %187, %211 ]
  %221 = getelementptr inbounds %struct.dimension, ptr %176, i64 %218
  %222 = getelementptr inbounds i8, ptr %221, i64 8
  %223 = load i64, ptr %222, align 8
  %224 = srem i64 %220, %223
  %225 = getelementptr inbounds i8, ptr %221, i64 16
  %226 = load i64, ptr %225, align 8
  %227 = mul nsw i64 %226, %224
  %228 = add nsw i64 %227, %219
  %229 = sdiv i64 %220, %223
  %230 = add nsw i64 %218, 1
  %231 = icmp eq i64 %230, %172
  br i1 %231, label %232, label %217

232:
  %233 = phi ptr [ %212, %213 ], [ %212, %214 ], [ %208, %207 ], [ %212, %217 ]
  %234 = phi i64 [ 0, %213 ], [ %216, %214 ], [ 0, %207 ], [ %228, %217 ]
  %235 = getelementptr inbounds i8, ptr %233, i64 %234
  %236 = load i64, ptr %179, align 8
  %237 = mul nsw i64 %236, %201
  %238 = getelementptr inbounds i8, ptr %235, i64 %237
  br i1 %159, label %257, label %239

239:
  %240 = load ptr, ptr %1, align 8
  br i1 %180, label %241, label %242

241:
  br i1 %183, label %258, label %266

242:
  %243 = phi i64 [ %255, %242 ], [ 1, %239 ]
  %244 = phi i64 [ %253, %242 ], [ 0, %239 ]
  %245 = phi i64 [ %254, %242 ], [ %187, %239 ]
  %246 = getelementptr inbounds %struct.dimension, ptr %181, i64 %243
  %247 = getelementptr inbounds i8, ptr %246, i64 8
  %248 = load i64, ptr %247, align 8
  %249 = srem i64 %245, %248
  %250 = getelementptr inbounds i8, ptr %246, i64 16
  %251 = load i64, ptr %250, align 8
  %252 = mul nsw i64 %251, %249
  %253 = add nsw i64 %252, %244
  %254 = sdiv i64 %245, %248
  %255 = add nsw i64 %243, 1
  %256 = icmp eq i64 %255, %182
  br i1 %256, label %271, label %242

257:
  store float %167, ptr %238, align 4
  br i1 %5, label %299, label %302

258:
  %259 = load i64, ptr %184, align 8
  %260 = mul nsw i64 %259, %187
  %261 = getelementptr inbounds i8, ptr %240, i64 %260
  %262 = load i64, ptr %185, align 8
  %263 = mul nsw i64 %262, %201
  %264 = getelementptr inbounds i8, ptr %261, i64 %263
  %265 = load float, ptr %264, align 4
  store float %265, ptr %238, align 4
  br i1 %5, label %292, label %302

266:
  %267 = load i64, ptr %185, align 8
  %268 = mul nsw i64 %267, %201
  %269 = getelementptr inbounds i8, ptr %240, i64 %268
  %270 = load float, ptr %269, align 4
  store float %270, ptr %238, align 4
  br i1 %5, label %292, label %302

271:
  %272 = getelementptr inbounds i8, ptr %240, i64 %253
  %273 = load i64, ptr %185, align 8
  %274 = mul nsw i64 %273, %201
  %275 = getelementptr inbounds i8, ptr %272, i64 %274
  %276 = load float, ptr %275, align 4
  store float %276, ptr %238, align 4
  br i1 %5, label %277, label %302

277:
  %278 = phi i64 [ %290, %277 ], [ 1, %271 ]
  %279 = phi i64 [ %288, %277 ], [ 0, %271 ]
  %280 = phi i64 [ %289, %277 ], [ %187, %271 ]
  %281 = getelementptr inbounds %struct.dimension, ptr %181, i64 %278
  %282 = getelementptr inbounds i8, ptr %281, i64 8
  %283 = load i64, ptr %282, align 8
  %284 = srem i64 %280, %283
  %285 = getelementptr inbounds i8, ptr %281, i64 16
  %286 = load i64, ptr %285, align 8
  %287 = mul nsw i64 %286, %284
  %288 = add nsw i64 %287, %279
  %289 = sdiv i64 %280, %283
  %290 = add nsw i64 %278, 1
  %291 = icmp eq i64 %290, %182
  br i1 %291, label %292, label %277

292:
  %293 = phi i64 [ %268, %266 ], [ %263, %258 ], [ %274, %277 ]
  %294 = phi i64 [ 0, %266 ], [ %260, %258 ], [ %288, %277 ]
  %295 = getelementptr inbounds i8, ptr %240, i64 %294
  %296 = getelementptr inbounds i8, ptr %295, i64 %293
  %297 = getelementptr inbounds i8, ptr %296, i64 4
  %298 = load float, ptr %297, align 4
  br label %299

299:
  %300 = phi float [ %298, %292 ], [ %168, %257 ]
  %301 = getelementptr inbounds i8, ptr %238, i64 4
  store float %300, ptr %301, align 4
  br label %302

302:
  %303 = add nsw i64 %201, 1
  br label %200

304:
  %305 = getelementptr inbounds i8, ptr %1, i64 8
  %306 = load i64, ptr %305, align 8
  %307 = getelementptr inbounds i8, ptr %1, i64 20
  %308 = load i8, ptr %307, align 4
  %309 = icmp eq i8 %308, 0
  switch i64 %306, label %622 [    i64 8, label %310    i64 4, label %414    i64 2, label %518  ]

310:
  br i1 %309, label %311, label %314

311:
  %312 = load ptr, ptr %1, align 8
  %313 = load i64, ptr %312, align 8
  br label %314

314:
  %315 = phi i64 [ %313, %311 ], [ 0, %310 ]
  %316 = getelementptr inbounds i8, ptr %0, i64 20
  %317 = load i8, ptr %316, align 4
  %318 = icmp sgt i8 %317, 1
  %319 = zext i8 %317 to i64
  %320 = icmp eq i8 %317, 0
  %321 = getelementptr inbounds i8, ptr %0, i64 32
  %322 = icmp slt i8 %308, 3
  %323 = getelementptr inbounds i8, ptr %1, i64 24
  %324 = zext i8 %308 to i64
  %325 = icmp eq i8 %308, 2
  %326 = getelementptr inbounds i8, ptr %1, i64 64
  %327 = getelementptr inbounds i8, ptr %1, i64 40
  %328 = icmp slt i8 %317, 3
  %329 = getelementptr inbounds i8, ptr %0, i64 24
  %330 = icmp eq i8 %317, 2
  %331 = getelementptr inbounds i8, ptr %0, i64 64
  %332 = getelementptr inbounds i8, ptr %0, i64 40
  br label %333

333:
  %334 = phi i64 [ 0, %314 ], [ %355, %354 ]
  br i1 %318, label %335, label %344

335:
  %336 = phi i64 [ %342, %335 ], [ 1, %333 ]
  %337 = phi i64 [ %341, %335 ], [ 1, %333 ]
  %338 = getelementptr inbounds %struct.dimension, ptr %0, i64 %336
  %339 = getelementptr inbounds i8, ptr %338, i64 32
  %340 = load i64, ptr %339, align 8
  %341 = mul nsw i64 %340, %337
  %342 = add nsw i64 %336, 1
  %343 = icmp eq i64 %342, %319
  br i1 %343, label %344, label %335

344:
  %345 = phi i64 [ 1, %333 ], [ %341, %335 ]
  %346 = icmp slt i64 %334, %345
  br i1 %346, label %347, label %735

347:
  %348 = phi i64 [ %413, %407 ], [ 0, %344 ]
  br i1 %320, label %351, label %349

349:
  %350 = load i64, ptr %321, align 8
  br label %351

351:
  %352 = phi i64 [ %350, %349 ], [ 1, %347 ]
  %353 = icmp slt i64 %348, %352
  br i1 %353, label %356, label %354

354:
  %355 = add nsw i64 %334, 1
  br label %333

356:
  br i1 %309, label %385, label %357

357:
  %358 = load ptr, ptr %1, align 8
  br i1 %322, label %359, label %363

359:
  br i1 %325, label %360, label %378

360:
  %361 = load i64, ptr %326, align 8
  %362 = mul nsw i64 %361, %334
  br label %378

363:
  %364 = phi i64 [ %376, %363 ], [ 1, %357 ]
  %365 = phi i64 [ %374, %363 ], [ 0, %357 ]
  %366 = phi i64 [ %375, %363 ], [ %334, %357 ]
  %367 = getelementptr inbounds %struct.dimension, ptr %323, i64 %364
  %368 = getelementptr inbounds i8, ptr %367, i64 8
  %369 = load i64, ptr %368, align 8
  %370 = srem i64 %366, %369
  %371 = getelementptr inbounds i8, ptr %367, i64 16
  %372 = load i64, ptr %371, align 8
  %373 = mul nsw i64 %372, %370
  %374 = add nsw i64 %373, %365
  %375 = sdiv i64 %366, %369
  %376 = add nsw i64 %364, 1
  %377 = icmp eq i64 %376, %324
  br i1 %377, label %378, label %363

378:
  %379 = phi i64 [ 0, %359 ], [ %362, %360 ], [ %374, %363 ]
  %380 = getelementptr inbounds i8, ptr %358, i64 %379
  %381 = load i64, ptr %327, align 8
  %382 = mul nsw i64 %381, %348
  %383 = getelementptr inbounds i8, ptr %380, i64 %382
  %384 = load i64, ptr %383, align 8
  br label %385

385:
  %386 = phi i64 [ %384, %378 ], [ %315, %356 ]
  %387 = load ptr, ptr %0, align 8
  br i1 %328, label %388, label %392

388:
  br i1 %330, label %389, label %407

389:
  %390 = load i64, ptr %331, align 8
  %391 = mul nsw i64 %390, %334
  br label %407

392:
  %393 = phi i64 [ %405, %392 ], [ 1, %385 ]
  %394 = phi i64 [ %403, %392 ], [ 0, %385 ]
  %395 = phi i64 [ %404, %392 ], [ %334, %385 ]
  %396 = getelementptr inbounds %struct.dimension, ptr %329, i64 %393
  %397 = getelementptr inbounds i8, ptr %396, i64 8
  %398 = load i64, ptr %397, align 8
  %399 = srem i64 %395, %398
  %400 = getelementptr inbounds i8, ptr %396, i64 16
  %401 = load i64, ptr %400, align 8
  %402 = mul nsw i64 %401, %399
  %403 = add nsw i64 %402, %394
  %404 = sdiv i64 %395, %398
  %405 = add nsw i64 %393, 1
  %406 = icmp eq i64 %405, %319
  br i1 %406, label %407, label %392

407:
  %408 = phi i64 [ 0, %388 ], [ %391, %389 ], [ %403, %392 ]
  %409 = getelementptr inbounds i8, ptr %387, i64 %408
  %410 = load i64, ptr %332, align 8
  %411 = mul nsw i64 %410, %348
  %412 = getelementptr inbounds i8, ptr %409, i64 %411
  store i64 %386, ptr %412, align 8
  %413 = add nsw i64 %348, 1
  br label %347

414:
  br i1 %309, label %415, label %418

415:
  %416 = load ptr, ptr %1, align 8
  %417 = load i32, ptr %416, align 4
  br label %418

418:
  %419 = phi i32 [ %417, %415 ], [ 0, %414 ]
  %420 = getelementptr inbounds i8, ptr %0, i64 20
  %421 = load i8, ptr %420, align 4
  %422 = icmp sgt i8 %421, 1
  %423 = zext i8 %421 to i64
  %424 = icmp eq i8 %421, 0
  %425 = getelementptr inbounds i8, ptr %0, i64 32
  %426 = icmp slt i8 %308, 3
  %427 = getelementptr inbounds i8, ptr %1, i64 24
  %428 = zext i8 %308 to i64
  %429 = icmp eq i8 %308, 2
  %430 = getelementptr inbounds i8, ptr %1, i64 64
  %431 = getelementptr inbounds i8, ptr %1, i64 40
  %432 = icmp slt i8 %421, 3
  %433 = getelementptr inbounds i8, ptr %0, i64 24
  %434 = icmp eq i8 %421, 2
  %435 = getelementptr inbounds i8, ptr %0, i64 64
  %436 = getelementptr inbounds i8, ptr %0, i64 40
  br label %437

437:
  %438 = phi i64 [ 0, %418 ], [ %459, %458 ]
  br i1 %422, label %439, label %448

439:
  %440 = phi i64 [ %446, %439 ], [ 1, %437 ]
  %441 = phi i64 [ %445, %439 ], [ 1, %437 ]
  %442 = getelementptr inbounds %struct.dimension, ptr %0, i64 %440
  %443 = getelementptr inbounds i8, ptr %442, i64 32
  %444 = load i64, ptr %443, align 8
  %445 = mul nsw i64 %444, %441
  %446 = add nsw i64 %440, 1
  %447 = icmp eq i64 %446, %423
  br i1 %447, label %448, label %439

448:
  %449 = phi i64 [ 1, %437 ], [ %445, %439 ]
  %450 = icmp slt i64 %438, %449
  br i1 %450, label %451, label %735

451:
  %452 = phi i64 [ %517, %511 ], [ 0, %448 ]
  br i1 %424, label %455, label %453

453:
  %454 = load i64, ptr %425, align 8
  br label %455

455:
  %456 = phi i64 [ %454, %453 ], [ 1, %451 ]
  %457 = icmp slt i64 %452, %456
  br i1 %457, label %460, label %458

458:
  %459 = add nsw i64 %438, 1
  br label %437

460:
  br i1 %309, label %489, label %461

461:
  %462 = load ptr, ptr %1, align 8
  br i1 %426, label %463, label %467

463:
  br i1 %429, label %464, label %482

464:
  %465 = load i64, ptr %430, align 8
  %466 = mul nsw i64 %465, %438
  br label %482

467:
  %468 = phi i64 [ %480, %467 ], [ 1, %461 ]
  %469 = phi i64 [ %478, %467 ], [ 0, %461 ]
  %470 = phi i64 [ %479, %467 ], [ %438, %461 ]
  %471 = getelementptr inbounds %struct.dimension, ptr %427, i64 %468
  %472 = getelementptr inbounds i8, ptr %471, i64 8
  %473 = load i64, ptr %472, align 8
  %474 = srem i64 %470, %473
  %475 = getelementptr inbounds i8, ptr %471, i64 16
  %476 = load i64, ptr %475, align 8
  %477 = mul nsw i64 %476, %474
  %478 = add nsw i64 %477, %469
  %479 = sdiv i64 %470, %473
  %480 = add nsw i64 %468, 1
  %481 = icmp eq i64 %480, %428
  br i1 %481, label %482, label %467

482:
  %483 = phi i64 [ 0, %463 ], [ %466, %464 ], [ %478, %467 ]
  %484 = getelementptr inbounds i8, ptr %462, i64 %483
  %485 = load i64, ptr %431, align 8
  %486 = mul nsw i64 %485, %452
  %487 = getelementptr inbounds i8, ptr %484, i64 %486
  %488 = load i32, ptr %487, align 4
  br label %489

489:
  %490 = phi i32 [ %488, %482 ], [ %419, %460 ]
  %491 = load ptr, ptr %0, align 8
  br i1 %432, label %492, label %496

492:
  br i1 %434, label %493, label %511

493:
  %494 = load i64, ptr %435, align 8
  %495 = mul nsw i64 %494, %438
  br label %511

496:
  %497 = phi i64 [ %509, %496 ], [ 1, %489 ]
  %498 = phi i64 [ %507, %496 ], [ 0, %489 ]
  %499 = phi i64 [ %508, %496 ], [ %438, %489 ]
  %500 = getelementptr inbounds %struct.dimension, ptr %433, i64 %497
  %501 = getelementptr inbounds i8, ptr %500, i64 8
  %502 = load i64, ptr %501, align 8
  %503 = srem i64 %499, %502
  %504 = getelementptr inbounds i8, ptr %500, i64 16
  %505 = load i64, ptr %504, align 8
  %506 = mul nsw i64 %505, %503
  %507 = add nsw i64 %506, %498
  %508 = sdiv i64 %499, %502
  %509 = add nsw i64 %497, 1
  %510 = icmp eq i64 %509, %423
  br i1 %510, label %511, label %496

511:
  %512 = phi i64 [ 0, %492 ], [ %495, %493 ], [ %507, %496 ]
  %513 = getelementptr inbounds i8, ptr %491, i64 %512
  %514 = load i64, ptr %436, align 8
  %515 = mul nsw i64 %514, %452
  %516 = getelementptr inbounds i8, ptr %513, i64 %515
  store i32 %490, ptr %516, align 4
  %517 = add nsw i64 %452, 1
  br label %451

518:
  br i1 %309, label %519, label %522

519:
  %520 = load ptr, ptr %1, align 8
  %521 = load i16, ptr %520, align 2
  br label %522

522:
  %523 = phi i16 [ %521, %519 ], [ 0, %518 ]
  %524 = getelementptr inbounds i8, ptr %0, i64 20
  %525 = load i8, ptr %524, align 4
  %526 = icmp sgt i8 %525, 1
  %527 = zext i8 %525 to i64
  %528 = icmp eq i8 %525, 0
  %529 = getelementptr inbounds i8, ptr %0, i64 32
  %530 = icmp slt i8 %308, 3
  %531 = getelementptr inbounds i8, ptr %1, i64 24
  %532 = zext i8 %308 to i64
  %533 = icmp eq i8 %308, 2
  %534 = getelementptr inbounds i8, ptr %1, i64 64
  %535 = getelementptr inbounds i8, ptr %1, i64 40
  %536 = icmp slt i8 %525, 3
  %537 = getelementptr inbounds i8, ptr %0, i64 24
  %538 = icmp eq i8 %525, 2
  %539 = getelementptr inbounds i8, ptr %0, i64 64
  %540 = getelementptr inbounds i8, ptr %0, i64 40
  br label %541

541:
  %542 = phi i64 [ 0, %522 ], [ %563, %562 ]
  br i1 %526, label %543, label %552

543:
  %544 = phi i64 [ %550, %543 ], [ 1, %541 ]
  %545 = phi i64 [ %549, %543 ], [ 1, %541 ]
  %546 = getelementptr inbounds %struct.dimension, ptr %0, i64 %544
  %547 = getelementptr inbounds i8, ptr %546, i64 32
  %548 = load i64, ptr %547, align 8
  %549 = mul nsw i64 %548, %545
  %550 = add nsw i64 %544, 1
  %551 = icmp eq i64 %550, %527
  br i1 %551, label %552, label %543

552:
  %553 = phi i64 [ 1, %541 ], [ %549, %543 ]
  %554 = icmp slt i64 %542, %553
  br i1 %554, label %555, label %735

555:
  %556 = phi i64 [ %621, %615 ], [ 0, %552 ]
  br i1 %528, label %559, label %557

557:
  %558 = load i64, ptr %529, align 8
  br label %559

559:
  %560 = phi i64 [ %558, %557 ], [ 1, %555 ]
  %561 = icmp slt i64 %556, %560
  br i1 %561, label %564, label %562

562:
  %563 = add nsw i64 %542, 1
  br label %541

564:
  br i1 %309, label %593, label %565

565:
  %566 = load ptr, ptr %1, align 8
  br i1 %530, label %567, label %571

567:
  br i1 %533, label %568, label %586

568:
  %569 = load i64, ptr %534, align 8
  %570 = mul nsw i64 %569, %542
  br label %586

571:
  %572 = phi i64 [ %584, %571 ], [ 1, %565 ]
  %573 = phi i64 [ %582, %571 ], [ 0, %565 ]
  %574 = phi i64 [ %583, %571 ], [ %542, %565 ]
  %575 = getelementptr inbounds %struct.dimension, ptr %531, i64 %572
  %576 = getelementptr inbounds i8, ptr %575, i64 8
  %577 = load i64, ptr %576, align 8
  %578 = srem i64 %574, %577
  %579 = getelementptr inbounds i8, ptr %575, i64 16
  %580 = load i64, ptr %579, align 8
  %581 = mul nsw i64 %580, %578
  %582 = add nsw i64 %581, %573
  %583 = sdiv i64 %574, %577
  %584 = add nsw i64 %572, 1
  %585 = icmp eq i64 %584, %532
  br i1 %585, label %586, label %571

586:
  %587 = phi i64 [ 0, %567 ], [ %570, %568 ], [ %582, %571 ]
  %588 = getelementptr inbounds i8, ptr %566, i64 %587
  %589 = load i64, ptr %535, align 8
  %590 = mul nsw i64 %589, %556
  %591 = getelementptr inbounds i8, ptr %588, i64 %590
  %592 = load i16, ptr %591, align 2
  br label %593

593:
  %594 = phi i16 [ %592, %586 ], [ %523, %564 ]
  %595 = load ptr, ptr %0, align 8
  br i1 %536, label %596, label %600

596:
  br i1 %538, label %597, label %615

597:
  %598 = load i64, ptr %539, align 8
  %599 = mul nsw i64 %598, %542
  br label %615

600:
  %601 = phi i64 [ %613, %600 ], [ 1, %593 ]
  %602 = phi i64 [ %611, %600 ], [ 0, %593 ]
  %603 = phi i64 [ %612, %600 ], [ %542, %593 ]
  %604 = getelementptr inbounds %struct.dimension, ptr %537, i64 %601
  %605 = getelementptr inbounds i8, ptr %604, i64 8
  %606 = load i64, ptr %605, align 8
  %607 = srem i64 %603, %606
  %608 = getelementptr inbounds i8, ptr %604, i64 16
  %609 = load i64, ptr %608, align 8
  %610 = mul nsw i64 %609, %607
  %611 = add nsw i64 %610, %602
  %612 = sdiv i64 %603, %606
  %613 = add nsw i64 %601, 1
  %614 = icmp eq i64 %613, %527
  br i1 %614, label %615, label %600

615:
  %616 = phi i64 [ 0, %596 ], [ %599, %597 ], [ %611, %600 ]
  %617 = getelementptr inbounds i8, ptr %595, i64 %616
  %618 = load i64, ptr %540, align 8
  %619 = mul nsw i64 %618, %556
  %620 = getelementptr inbounds i8, ptr %617, i64 %619
  store i16 %594, ptr %620, align 2
  %621 = add nsw i64 %556, 1
  br label %555

622:
  br i1 %309, label %623, label %626

623:
  %624 = load ptr, ptr %1, align 8
  %625 = load i8, ptr %624, align 1
  br label %626

626:
  %627 = phi i8 [ %625, %623 ], [ 0, %622 ]
  %628 = getelementptr inbounds i8, ptr %0, i64 20
  %629 = getelementptr inbounds i8, ptr %0, i64 32
  %630 = getelementptr inbounds i8, ptr %1, i64 24
  %631 = getelementptr inbounds i8, ptr %1, i64 64
  %632 = getelementptr inbounds i8, ptr %1, i64 40
  %633 = getelementptr inbounds i8, ptr %0, i64 24
  %634 = getelementptr inbounds i8, ptr %0, i64 64
  %635 = getelementptr inbounds i8, ptr %0, i64 40
  %636 = load i8, ptr %628, align 4
  br label %637

637:
  %638 = phi i8 [ %636, %626 ], [ %656, %664 ]
  %639 = phi i64 [ 0, %626 ], [ %665, %664 ]
  %640 = icmp sgt i8 %638, 1
  br i1 %640, label %641, label %652

641:
  %642 = zext i8 %638 to i64
  br label %643

643:
  %644 = phi i64 [ 1, %641 ], [ %650, %643 ]
  %645 = phi i64 [ 1, %641 ], [ %649, %643 ]
  %646 = getelementptr inbounds %struct.dimension, ptr %0, i64 %644
  %647 = getelementptr inbounds i8, ptr %646, i64 32
  %648 = load i64, ptr %647, align 8
  %649 = mul nsw i64 %648, %645
  %650 = add nsw i64 %644, 1
  %651 = icmp eq i64 %650, %642
  br i1 %651, label %652, label %643

652:
  %653 = phi i64 [ 1, %637 ], [ %649, %643 ]
  %654 = icmp slt i64 %639, %653
  br i1 %654, label %655, label %735

655:
  %656 = phi i8 [ %734, %727 ], [ %638, %652 ]
  %657 = phi i64 [ %733, %727 ], [ 0, %652 ]
  %658 = icmp eq i8 %656, 0
  br i1 %658, label %661, label %659

659:
  %660 = load i64, ptr %629, align 8
  br label %661

661:
  %662 = phi i64 [ %660, %659 ], [ 1, %655 ]
  %663 = icmp slt i64 %657, %662
  br i1 %663, label %666, label %664

664:
  %665 = add nsw i64 %639, 1
  br label %637

666:
  %667 = load i8, ptr %307, align 4
  %668 = icmp eq i8 %667, 0
  br i1 %668, label %701, label %669

669:
  %670 = load ptr, ptr %1, align 8
  %671 = icmp slt i8 %667, 3
  br i1 %671, label %674, label %672

672:
  %673 = zext i8 %667 to i64
  br label %679

674:
  %675 = icmp eq i8 %667, 2
  br i1 %675, label %676, label %694

676:
  %677 = load i64, ptr %631, align 8
  %678 = mul nsw i64 %677, %639
  br label %694

679:
  %680 = phi i64 [ 1, %672 ], [ %692, %679 ]
  %681 = phi i64 [ 0, %672 ], [ %690, %679 ]
  %682 = phi i64 [ %639, %672 ], [ %691, %679 ]
  %683 = getelementptr inbounds %struct.dimension, ptr %630, i64 %680
  %684 = getelementptr inbounds i8, ptr %683, i64 8
  %685 = load i64, ptr %684, align 8
  %686 = srem i64 %682, %685
  %687 = getelementptr inbounds i8, ptr %683, i64 16
  %688 = load i64, ptr %687, align 8
  %689 = mul nsw i64 %688, %686
  %690 = add nsw i64 %689, %681
  %691 = sdiv i64 %682, %685
  %692 = add nsw i64 %680, 1
  %693 = icmp eq i64 %692, %673
  br i1 %693, label %694, label %679

694:
  %695 = phi i64 [ 0, %674 ], [ %678, %676 ], [ %690, %679 ]
  %696 = getelementptr inbounds i8, ptr %670, i64 %695
  %697 = load i64, ptr %632, align 8
  %698 = mul nsw i64 %697, %657
  %699 = getelementptr inbounds i8, ptr %696, i64 %698
  %700 = load i8, ptr %699, align 1
  br label %701

701:
  %702 = phi i8 [ %700, %694 ], [ %627, %666 ]
  %703 = load ptr, ptr %0, align 8
  %704 = icmp slt i8 %656, 3
  br i1 %704, label %707, label %705

705:
  %706 = zext i8 %656 to i64
  br label %712

707:
  %708 = icmp eq i8 %656, 2
  br i1 %708, label %709, label %727

709:
  %710 = load i64, ptr %634, align 8
  %711 = mul nsw i64 %710, %639
  br label %727

712:
  %713 = phi i64 [ 1, %705 ], [ %725, %712 ]
  %714 = phi i64 [ 0, %705 ], [ %723, %712 ]
  %715 = phi i64 [ %639, %705 ], [ %724, %712 ]
  %716 = getelementptr inbounds %struct.dimension, ptr %633, i64 %713
  %717 = getelementptr inbounds i8, ptr %716, i64 8
  %718 = load i64, ptr %717, align 8
  %719 = srem i64 %715, %718
  %720 = getelementptr inbounds i8, ptr %716, i64 16
  %721 = load i64, ptr %720, align 8
  %722 = mul nsw i64 %721, %719
  %723 = add nsw i64 %722, %714
  %724 = sdiv i64 %715, %718
  %725 = add nsw i64 %713, 1
  %726 = icmp eq i64 %725, %706
  br i1 %726, label %727, label %712

727:
  %728 = phi i64 [ 0, %707 ], [ %711, %709 ], [ %723, %712 ]
  %729 = getelementptr inbounds i8, ptr %703, i64 %728
  %730 = load i64, ptr %635, align 8
  %731 = mul nsw i64 %730, %657
  %732 = getelementptr inbounds i8, ptr %729, i64 %731
  store i8 %702, ptr %732, align 1
  %733 = add nsw i64 %657, 1
  %734 = load i8, ptr %628, align 4
  br label %655

735:
  ret void
}
define internal void @gradir.library.fortran_assigned_objects(ptr %0, ptr %1) {
2:
  %3 = alloca %struct.descriptor, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 22
  %5 = load i8, ptr %4, align 2
  %6 = icmp eq i8 %5, 2
  br i1 %6, label %10, label %7

7:
  %8 = getelementptr inbounds i8, ptr %1, i64 20
  %9 = load i8, ptr %8, align 4
  br label %80

10:
  %11 = load ptr, ptr %0, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %43, label %13

13:
  %14 = getelementptr inbounds i8, ptr %1, i64 20
  %15 = load i8, ptr %14, align 4
  %16 = icmp sgt i8 %15, 0
  br i1 %16, label %17, label %31

17:
  %18 = zext i8 %15 to i64
  br label %22

19:
  %20 = add nsw i64 %23, 1
  %21 = icmp eq i64 %20, %18
  br i1 %21, label %31, label %22

22:
  %23 = phi i64 [ 0, %17 ], [ %20, %19 ]
  %24 = getelementptr inbounds %struct.dimension, ptr %0, i64 %23
  %25 = getelementptr inbounds i8, ptr %24, i64 32
  %26 = load i64, ptr %25, align 8
  %27 = getelementptr inbounds %struct.dimension, ptr %1, i64 %23
  %28 = getelementptr inbounds i8, ptr %27, i64 32
  %29 = load i64, ptr %28, align 8
  %30 = icmp eq i64 %26, %29
  br i1 %30, label %19, label %43

31:
  %32 = getelementptr inbounds i8, ptr %0, i64 24
  %33 = getelementptr inbounds i8, ptr %0, i64 20
  %34 = load i8, ptr %33, align 4
  %35 = sext i8 %34 to i64
  %36 = getelementptr inbounds %struct.dimension, ptr %32, i64 %35
  %37 = load ptr, ptr %36, align 8
  %38 = getelementptr inbounds i8, ptr %1, i64 24
  %39 = sext i8 %15 to i64
  %40 = getelementptr inbounds %struct.dimension, ptr %38, i64 %39
  %41 = load ptr, ptr %40, align 8
  %42 = icmp eq ptr %37, %41
  br i1 %42, label %80, label %43

43:
  call void @gradir.library.fortran_copied_objects(ptr %3, ptr %1)
  %44 = load ptr, ptr %0, align 8
  %45 = icmp eq ptr %44, null
  br i1 %45, label %48, label %46

46:
  call void @gradir.library.fortran_destroyed(ptr %0)
  %47 = load ptr, ptr %0, align 8
  br label %48

48:
  %49 = phi ptr [ %47, %46 ], [ null, %43 ]
  call void @free(ptr %49)
  %50 = load ptr, ptr %3, align 8
  store ptr %50, ptr %0, align 8
  %51 = getelementptr inbounds i8, ptr %1, i64 8
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %52, ptr %53, align 8
  %54 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 42, ptr %54, align 1
  %55 = getelementptr inbounds i8, ptr %1, i64 20
  %56 = load i8, ptr %55, align 4
  %57 = icmp sgt i8 %56, 0
  br i1 %57, label %58, label %61

58:
  %59 = getelementptr inbounds i8, ptr %0, i64 24
  %60 = getelementptr inbounds i8, ptr %3, i64 24
  br label %72

61:
  %62 = phi i8 [ %56, %48 ], [ %77, %72 ]
  %63 = getelementptr inbounds i8, ptr %1, i64 24
  %64 = sext i8 %62 to i64
  %65 = getelementptr inbounds %struct.dimension, ptr %63, i64 %64
  %66 = load ptr, ptr %65, align 8
  %67 = getelementptr inbounds i8, ptr %0, i64 24
  %68 = getelementptr inbounds i8, ptr %0, i64 20
  %69 = load i8, ptr %68, align 4
  %70 = sext i8 %69 to i64
  %71 = getelementptr inbounds %struct.dimension, ptr %67, i64 %70
  store ptr %66, ptr %71, align 8
  br label %178

72:
  %73 = phi i64 [ 0, %58 ], [ %76, %72 ]
  %74 = getelementptr inbounds %struct.dimension, ptr %59, i64 %73
  %75 = getelementptr inbounds %struct.dimension, ptr %60, i64 %73
  call void @llvm.memcpy.p0.p0.i64(ptr %74, ptr %75, i64 24, i1 false)
  %76 = add nsw i64 %73, 1
  %77 = load i8, ptr %55, align 4
  %78 = sext i8 %77 to i64
  %79 = icmp slt i64 %76, %78
  br i1 %79, label %72, label %61

80:
  %81 = phi i8 [ %9, %7 ], [ %15, %31 ]
  %82 = icmp eq i8 %81, 0
  br i1 %82, label %175, label %83

83:
  %84 = load ptr, ptr %0, align 8
  %85 = getelementptr inbounds i8, ptr %0, i64 20
  %86 = load i8, ptr %85, align 4
  %87 = icmp sgt i8 %86, 0
  br i1 %87, label %88, label %105

88:
  %89 = zext i8 %86 to i64
  %90 = getelementptr inbounds i8, ptr %0, i64 24
  br label %91

91:
  %92 = phi i64 [ 0, %88 ], [ %103, %91 ]
  %93 = phi ptr [ %84, %88 ], [ %102, %91 ]
  %94 = getelementptr inbounds %struct.dimension, ptr %90, i64 %92
  %95 = getelementptr inbounds i8, ptr %94, i64 8
  %96 = load i64, ptr %95, align 8
  %97 = add nsw i64 %96, -1
  %98 = getelementptr inbounds i8, ptr %94, i64 16
  %99 = load i64, ptr %98, align 8
  %100 = mul nsw i64 %97, %99
  %101 = call i64 @llvm.smin.i64(i64 %100, i64 0)
  %102 = getelementptr inbounds i8, ptr %93, i64 %101
  %103 = add nsw i64 %92, 1
  %104 = icmp eq i64 %103, %89
  br i1 %104, label %105, label %91

105:
  %106 = phi ptr [ %84, %83 ], [ %102, %91 ]
  %107 = load ptr, ptr %1, align 8
  %108 = icmp sgt i8 %81, 0
  br i1 %108, label %109, label %131

109:
  %110 = zext i8 %81 to i64
  %111 = getelementptr inbounds i8, ptr %1, i64 24
  br label %112

112:
  %113 = phi i64 [ 0, %109 ], [ %124, %112 ]
  %114 = phi ptr [ %107, %109 ], [ %123, %112 ]
  %115 = getelementptr inbounds %struct.dimension, ptr %111, i64 %113
  %116 = getelementptr inbounds i8, ptr %115, i64 8
  %117 = load i64, ptr %116, align 8
  %118 = add nsw i64 %117, -1
  %119 = getelementptr inbounds i8, ptr %115, i64 16
  %120 = load i64, ptr %119, align 8
  %121 = mul nsw i64 %118, %120
  %122 = call i64 @llvm.smax.i64(i64 %121, i64 0)
  %123 = getelementptr inbounds i8, ptr %114, i64 %122
  %124 = add nsw i64 %113, 1
  %125 = icmp eq i64 %124, %110
  br i1 %125, label %126, label %112

126:
  %127 = getelementptr inbounds i8, ptr %1, i64 8
  %128 = load i64, ptr %127, align 8
  %129 = getelementptr inbounds i8, ptr %123, i64 %128
  %130 = icmp ult ptr %106, %129
  br i1 %130, label %136, label %175

131:
  %132 = getelementptr inbounds i8, ptr %1, i64 8
  %133 = load i64, ptr %132, align 8
  %134 = getelementptr inbounds i8, ptr %107, i64 %133
  %135 = icmp ult ptr %106, %134
  br i1 %135, label %150, label %175

136:
  %137 = phi i64 [ %148, %136 ], [ 0, %126 ]
  %138 = phi ptr [ %147, %136 ], [ %107, %126 ]
  %139 = getelementptr inbounds %struct.dimension, ptr %111, i64 %137
  %140 = getelementptr inbounds i8, ptr %139, i64 8
  %141 = load i64, ptr %140, align 8
  %142 = add nsw i64 %141, -1
  %143 = getelementptr inbounds i8, ptr %139, i64 16
  %144 = load i64, ptr %143, align 8
  %145 = mul nsw i64 %142, %144
  %146 = call i64 @llvm.smin.i64(i64 %145, i64 0)
  %147 = getelementptr inbounds i8, ptr %138, i64 %146
  %148 = add nsw i64 %137, 1
  %149 = icmp eq i64 %148, %110
  br i1 %149, label %150, label %136

150:
  %151 = phi ptr [ %107, %131 ], [ %147, %136 ]
  br i1 %87, label %152, label %169

152:
  %153 = zext i8 %86 to i64
  %154 = getelementptr inbounds i8, ptr %0, i64 24
  br label %155

155:
  %156 = phi i64 [ 0, %152 ], [ %167, %155 ]
  %157 = phi ptr [ %84, %152 ], [ %166, %155 ]
  %158 = getelementptr inbounds %struct.dimension, ptr %154, i64 %156
  %159 = getelementptr inbounds i8, ptr %158, i64 8
  %160 = load i64, ptr %159, align 8
  %161 = add nsw i64 %160, -1
  %162 = getelementptr inbounds i8, ptr %158, i64 16
  %163 = load i64, ptr %162, align 8
  %164 = mul nsw i64 %161, %163
  %165 = call i64 @llvm.smax.i64(i64 %164, i64 0)
  %166 = getelementptr inbounds i8, ptr %157, i64 %165
  %167 = add nsw i64 %156, 1
  %168 = icmp eq i64 %167, %153
  br i1 %168, label %169, label %155

169:
  %170 = phi ptr [ %84, %150 ], [ %166, %155 ]
  %171 = getelementptr inbounds i8, ptr %0, i64 8
  %172 = load i64, ptr %171, align 8
  %173 = getelementptr inbounds i8, ptr %170, i64 %172
  %174 = icmp ult ptr %151, %173
  br i1 %174, label %176, label %175

175:
  call void @gradir.library.fortran_assigned(ptr %0, ptr %1)
  br label %178

176:
  call void @gradir.library.fortran_copied_objects(ptr %3, ptr %1)
  call void @gradir.library.fortran_assigned(ptr %0, ptr %3)
  call void @gradir.library.fortran_destroyed(ptr %3)
  %177 = load ptr, ptr %3, align 8
  call void @free(ptr %177)
  br label %178

178:
  ret void
}
define internal void @gradir.library.fortran_assigned_text(ptr %0, ptr %1) {
2:
  %3 = alloca %struct.descriptor, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 22
  %5 = load i8, ptr %4, align 2
  %6 = icmp eq i8 %5, 2
  br i1 %6, label %7, label %122

7:
  %8 = load ptr, ptr %0, align 8
  %9 = icmp eq ptr %8, null
  %10 = getelementptr inbounds i8, ptr %1, i64 20
  %11 = load i8, ptr %10, align 4
  br i1 %9, label %34, label %12

12:
  %13 = icmp sgt i8 %11, 0
  br i1 %13, label %14, label %28

14:
  %15 = zext i8 %11 to i64
  br label %19

16:
  %17 = add nsw i64 %20, 1
  %18 = icmp eq i64 %17, %15
  br i1 %18, label %28, label %19

19:
  %20 = phi i64 [ 0, %14 ], [ %17, %16 ]
  %21 = getelementptr inbounds %struct.dimension, ptr %0, i64 %20
  %22 = getelementptr inbounds i8, ptr %21, i64 32
  %23 = load i64, ptr %22, align 8
  %24 = getelementptr inbounds %struct.dimension, ptr %1, i64 %20
  %25 = getelementptr inbounds i8, ptr %24, i64 32
  %26 = load i64, ptr %25, align 8
  %27 = icmp eq i64 %23, %26
  br i1 %27, label %16, label %34

28:
  %29 = getelementptr inbounds i8, ptr %0, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = getelementptr inbounds i8, ptr %1, i64 8
  %32 = load i64, ptr %31, align 8
  %33 = icmp eq i64 %30, %32
  br i1 %33, label %122, label %34

34:
  %35 = getelementptr inbounds i8, ptr %1, i64 8
  %36 = load i64, ptr %35, align 8
  %37 = getelementptr inbounds i8, ptr %1, i64 20
  %38 = icmp eq i8 %11, 0
  br i1 %38, label %57, label %39

39:
  %40 = getelementptr inbounds i8, ptr %1, i64 32
  %41 = load i64, ptr %40, align 8
  %42 = mul nsw i64 %41, %36
  %43 = icmp sgt i8 %11, 1
  br i1 %43, label %44, label %57

44:
  %45 = zext i8 %11 to i64
  br label %46

46:
  %47 = phi i64 [ 1, %44 ], [ %53, %46 ]
  %48 = phi i64 [ 1, %44 ], [ %52, %46 ]
  %49 = getelementptr inbounds %struct.dimension, ptr %1, i64 %47
  %50 = getelementptr inbounds i8, ptr %49, i64 32
  %51 = load i64, ptr %50, align 8
  %52 = mul nsw i64 %51, %48
  %53 = add nsw i64 %47, 1
  %54 = icmp eq i64 %53, %45
  br i1 %54, label %55, label %46

55:
  %56 = mul nsw i64 %52, %42
  br label %57

57:
  %58 = phi i64 [ %42, %39 ], [ %36, %34 ], [ %56, %55 ]
  %59 = call i64 @llvm.umax.i64(i64 %58, i64 1)
  %60 = call ptr @malloc(i64 %59)
  %61 = icmp sgt i8 %11, 0
  br i1 %61, label %62, label %77

62:
  %63 = zext i8 %11 to i64
  %64 = getelementptr inbounds i8, ptr %3, i64 24
  br label %65

65:
  %66 = phi i64 [ 0, %62 ], [ %75, %65 ]
  %67 = phi i64 [ %36, %62 ], [ %74, %65 ]
  %68 = getelementptr inbounds %struct.dimension, ptr %64, i64 %66
  %69 = getelementptr inbounds %struct.dimension, ptr %1, i64 %66
  %70 = getelementptr inbounds i8, ptr %69, i64 32
  %71 = load i64, ptr %70, align 8
  store i64 1, ptr %68, align 8
  %72 = getelementptr inbounds i8, ptr %68, i64 8
  store i64 %71, ptr %72, align 8
  %73 = getelementptr inbounds i8, ptr %68, i64 16
  store i64 %67, ptr %73, align 8
  %74 = mul nsw i64 %71, %67
  %75 = add nsw i64 %66, 1
  %76 = icmp eq i64 %75, %63
  br i1 %76, label %81, label %65

77:
  br i1 %38, label %99, label %78

78:
  %79 = getelementptr inbounds i8, ptr %1, i64 32
  %80 = load i64, ptr %79, align 8
  br label %96

81:
  %82 = getelementptr inbounds i8, ptr %1, i64 32
  %83 = load i64, ptr %82, align 8
  %84 = icmp eq i8 %11, 1
  br i1 %84, label %96, label %85

85:
  %86 = phi i64 [ %92, %85 ], [ 1, %81 ]
  %87 = phi i64 [ %91, %85 ], [ 1, %81 ]
  %88 = getelementptr inbounds %struct.dimension, ptr %1, i64 %86
  %89 = getelementptr inbounds i8, ptr %88, i64 32
  %90 = load i64, ptr %89, align 8
  %91 = mul nsw i64 %90, %87
  %92 = add nsw i64 %86, 1
  %93 = icmp eq i64 %92, %63
  br i1 %93, label %94, label %85

94:
  %95 = mul nsw i64 %91, %83
  br label %96

96:
  %97 = phi i64 [ %83, %81 ], [ %80, %78 ], [ %95, %94 ]
  %98 = icmp sgt i64 %97, 0
  br i1 %98, label %99, label %101

99:
  %100 = phi i64 [ %97, %96 ], [ 1, %77 ]
  br label %106

101:
  store ptr %60, ptr %0, align 8
  %102 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %36, ptr %102, align 8
  br i1 %61, label %103, label %113

103:
  %104 = getelementptr inbounds i8, ptr %0, i64 24
  %105 = getelementptr inbounds i8, ptr %3, i64 24
  br label %114

106:
  %107 = phi i64 [ %111, %106 ], [ 0, %99 ]
  %108 = mul i64 %107, %36
  %109 = getelementptr inbounds i8, ptr %60, i64 %108
  %110 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %107)
  call void @llvm.memcpy.p0.p0.i64(ptr %109, ptr %110, i64 %36, i1 false)
  %111 = add nsw i64 %107, 1
  %112 = icmp eq i64 %111, %100
  br i1 %112, label %101, label %106

113:
  call void @free(ptr %8)
  br label %184

114:
  %115 = phi i64 [ 0, %103 ], [ %118, %114 ]
  %116 = getelementptr inbounds %struct.dimension, ptr %104, i64 %115
  %117 = getelementptr inbounds %struct.dimension, ptr %105, i64 %115
  call void @llvm.memcpy.p0.p0.i64(ptr %116, ptr %117, i64 24, i1 false)
  %118 = add nsw i64 %115, 1
  %119 = load i8, ptr %37, align 4
  %120 = sext i8 %119 to i64
  %121 = icmp slt i64 %118, %120
  br i1 %121, label %114, label %113

122:
  %123 = getelementptr inbounds i8, ptr %0, i64 20
  %124 = load i8, ptr %123, align 4
  %125 = icmp eq i8 %124, 0
  br i1 %125, label %126, label %132

126:
  %127 = getelementptr inbounds i8, ptr %1, i64 8
  %128 = load i64, ptr %127, align 8
  %129 = getelementptr inbounds i8, ptr %0, i64 8
  %130 = load i64, ptr %129, align 8
  %131 = call i64 @llvm.umin.i64(i64 %128, i64 %130)
  br label %157

132:
  %133 = getelementptr inbounds i8, ptr %0, i64 32
  %134 = load i64, ptr %133, align 8
  %135 = icmp sgt i8 %124, 1
  br i1 %135, label %136, label %149

136:
  %137 = zext i8 %124 to i64
  br label %138

138:
  %139 = phi i64 [ 1, %136 ], [ %145, %138 ]
  %140 = phi i64 [ 1, %136 ], [ %144, %138 ]
  %141 = getelementptr inbounds %struct.dimension, ptr %0, i64 %139
  %142 = getelementptr inbounds i8, ptr %141, i64 32
  %143 = load i64, ptr %142, align 8
  %144 = mul nsw i64 %143, %140
  %145 = add nsw i64 %139, 1
  %146 = icmp eq i64 %145, %137
  br i1 %146, label %147, label %138

147:
  %148 = mul nsw i64 %144, %134
  br label %149

149:
  %150 = phi i64 [ %134, %132 ], [ %148, %147 ]
  %151 = getelementptr inbounds i8, ptr %1, i64 8
  %152 = load i64, ptr %151, align 8
  %153 = getelementptr inbounds i8, ptr %0, i64 8
  %154 = load i64, ptr %153, align 8
  %155 = call i64 @llvm.umin.i64(i64 %152, i64 %154)
  %156 = icmp sgt i64 %150, 0
  br i1 %156, label %157, label %184

157:
  %158 = phi i64 [ %131, %126 ], [ %155, %149 ]
  %159 = phi ptr [ %129, %126 ], [ %153, %149 ]
  %160 = phi i64 [ 1, %126 ], [ %150, %149 ]
  %161 = getelementptr inbounds i8, ptr %1, i64 20
  br label %162

162:
  %163 = phi i64 [ 0, %157 ], [ %176, %175 ]
  %164 = call ptr @gradir.library.fortran_nth(ptr %0, i64 %163)
  %165 = load i8, ptr %161, align 4
  %166 = icmp eq i8 %165, 0
  br i1 %166, label %169, label %167

167:
  %168 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %163)
  br label %171

169:
  %170 = load ptr, ptr %1, align 8
  br label %171

171:
  %172 = phi ptr [ %168, %167 ], [ %170, %169 ]
  call void @llvm.memmove.p0.p0.i64(ptr %164, ptr %172, i64 %158, i1 false)
  %173 = load i64, ptr %159, align 8
  %174 = icmp ult i64 %158, %173
  br i1 %174, label %178, label %175

175:
  %176 = add nsw i64 %163, 1
  %177 = icmp eq i64 %176, %160
  br i1 %177, label %184, label %162

178:
  %179 = phi i64 [ %181, %178 ], [ %158, %171 ]
  %180 = getelementptr inbounds i8, ptr %164, i64 %179
  store i8 32, ptr %180, align 1
  %181 = add nsw i64 %179, 1
  %182 = load i64, ptr %159, align 8
  %183 = icmp ult i64 %181, %182
  br i1 %183, label %178, label %175

184:
  ret void
}
define internal void @gradir.library.fortran_copied_objects(ptr %0, ptr %1) {
2:
  %3 = getelementptr inbounds i8, ptr %1, i64 8
  %4 = load i64, ptr %3, align 8
  %5 = getelementptr inbounds i8, ptr %1, i64 20
  %6 = load i8, ptr %5, align 4
  %7 = icmp eq i8 %6, 0
  br i1 %7, label %26, label %8

8:
  %9 = getelementptr inbounds i8, ptr %1, i64 32
  %10 = load i64, ptr %9, align 8
  %11 = mul nsw i64 %10, %4
  %12 = icmp sgt i8 %6, 1
  br i1 %12, label %13, label %26

13:
  %14 = zext i8 %6 to i64
  br label %15

15:
  %16 = phi i64 [ 1, %13 ], [ %22, %15 ]
  %17 = phi i64 [ 1, %13 ], [ %21, %15 ]
  %18 = getelementptr inbounds %struct.dimension, ptr %1, i64 %16
  %19 = getelementptr inbounds i8, ptr %18, i64 32
  %20 = load i64, ptr %19, align 8
  %21 = mul nsw i64 %20, %17
  %22 = add nsw i64 %16, 1
  %23 = icmp eq i64 %22, %14
  br i1 %23, label %24, label %15

24:
  %25 = mul nsw i64 %21, %11
  br label %26

26:
  %27 = phi i64 [ %11, %8 ], [ %4, %2 ], [ %25, %24 ]
  %28 = call i64 @llvm.umax.i64(i64 %27, i64 1)
  %29 = call ptr @malloc(i64 %28)
  store ptr %29, ptr %0, align 8
  %30 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %4, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %0, i64 16
  store i32 20180515, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %0, i64 20
  store i8 %6, ptr %32, align 4
  %33 = getelementptr inbounds i8, ptr %1, i64 21
  %34 = load i8, ptr %33, align 1
  %35 = getelementptr inbounds i8, ptr %0, i64 21
  store i8 %34, ptr %35, align 1
  %36 = getelementptr inbounds i8, ptr %0, i64 22
  store i8 2, ptr %36, align 2
  %37 = load i8, ptr %5, align 4
  %38 = icmp sgt i8 %37, 0
  br i1 %38, label %39, label %55

39:
  %40 = zext i8 %37 to i64
  %41 = getelementptr inbounds i8, ptr %0, i64 24
  br label %42

42:
  %43 = phi i64 [ 0, %39 ], [ %53, %42 ]
  %44 = phi i64 [ %4, %39 ], [ %52, %42 ]
  %45 = getelementptr inbounds %struct.dimension, ptr %41, i64 %43
  %46 = getelementptr inbounds %struct.dimension, ptr %1, i64 %43
  %47 = getelementptr inbounds i8, ptr %46, i64 32
  %48 = load i64, ptr %47, align 8
  store i64 1, ptr %45, align 8
  %49 = getelementptr inbounds i8, ptr %45, i64 8
  store i64 %48, ptr %49, align 8
  %50 = getelementptr inbounds i8, ptr %45, i64 16
  store i64 %44, ptr %50, align 8
  %51 = load i64, ptr %47, align 8
  %52 = mul nsw i64 %51, %44
  %53 = add nsw i64 %43, 1
  %54 = icmp eq i64 %53, %40
  br i1 %54, label %55, label %42

55:
  %56 = getelementptr inbounds i8, ptr %0, i64 23
  store i8 1, ptr %56, align 1
  %57 = getelementptr inbounds i8, ptr %1, i64 24
  %58 = sext i8 %37 to i64
  %59 = getelementptr inbounds %struct.dimension, ptr %57, i64 %58
  %60 = load ptr, ptr %59, align 8
  %61 = getelementptr inbounds i8, ptr %0, i64 24
  %62 = sext i8 %6 to i64
  %63 = getelementptr inbounds %struct.dimension, ptr %61, i64 %62
  store ptr %60, ptr %63, align 8
  call void @gradir.library.fortran_initialized(ptr %0)
  call void @gradir.library.fortran_assigned(ptr %0, ptr %1)
  ret void
}
define internal void @gradir.library.fortran_assigned(ptr %0, ptr %1) {
2:
  %3 = getelementptr inbounds i8, ptr %0, i64 20
  %4 = load i8, ptr %3, align 4
  %5 = icmp eq i8 %4, 0
  br i1 %5, label %26, label %6

6:
  %7 = getelementptr inbounds i8, ptr %0, i64 32
  %8 = load i64, ptr %7, align 8
  %9 = icmp sgt i8 %4, 1
  br i1 %9, label %10, label %23

10:
  %11 = zext i8 %4 to i64
  br label %12

12:
  %13 = phi i64 [ 1, %10 ], [ %19, %12 ]
  %14 = phi i64 [ 1, %10 ], [ %18, %12 ]
  %15 = getelementptr inbounds %struct.dimension, ptr %0, i64 %13
  %16 = getelementptr inbounds i8, ptr %15, i64 32
  %17 = load i64, ptr %16, align 8
  %18 = mul nsw i64 %17, %14
  %19 = add nsw i64 %13, 1
  %20 = icmp eq i64 %19, %11
  br i1 %20, label %21, label %12

21:
  %22 = mul nsw i64 %18, %8
  br label %23

23:
  %24 = phi i64 [ %8, %6 ], [ %22, %21 ]
  %25 = icmp sgt i64 %24, 0
  br i1 %25, label %26, label %30

26:
  %27 = phi i64 [ %24, %23 ], [ 1, %2 ]
  %28 = getelementptr inbounds i8, ptr %1, i64 20
  %29 = getelementptr inbounds i8, ptr %1, i64 24
  br label %31

30:
  ret void

31:
  %32 = phi i64 [ 0, %26 ], [ %45, %40 ]
  %33 = call ptr @gradir.library.fortran_nth(ptr %0, i64 %32)
  %34 = load i8, ptr %28, align 4
  %35 = icmp eq i8 %34, 0
  br i1 %35, label %38, label %36

36:
  %37 = call ptr @gradir.library.fortran_nth(ptr %1, i64 %32)
  br label %40

38:
  %39 = load ptr, ptr %1, align 8
  br label %40

40:
  %41 = phi ptr [ %37, %36 ], [ %39, %38 ]
  %42 = sext i8 %34 to i64
  %43 = getelementptr inbounds %struct.dimension, ptr %29, i64 %42
  %44 = load ptr, ptr %43, align 8
  call void @gradir.objects.assign(ptr %33, ptr %41, ptr %44)
  %45 = add nsw i64 %32, 1
  %46 = icmp eq i64 %45, %27
  br i1 %46, label %30, label %31
}
declare void @gradir.objects.assign(ptr, ptr, ptr)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define internal i32 @gradir.library.fortran_better(ptr %0, i64 %1, i64 %2, i32 %3, i32 %4) {
5:
  %6 = call ptr @gradir.library.fortran_nth(ptr %0, i64 %1)
  %7 = call ptr @gradir.library.fortran_nth(ptr %0, i64 %2)
  %8 = getelementptr inbounds i8, ptr %0, i64 21
  %9 = load i8, ptr %8, align 1
  switch i8 %9, label %30 [    i8 28, label %10    i8 27, label %20  ]

10:
  %11 = icmp eq i32 %3, 0
  %12 = load double, ptr %6, align 8
  %13 = load double, ptr %7, align 8
  br i1 %11, label %17, label %14

14:
  %15 = fcmp ogt double %12, %13
  %16 = fcmp ogt double %13, %12
  br label %70

17:
  %18 = fcmp olt double %12, %13
  %19 = fcmp olt double %13, %12
  br label %70

20:
  %21 = icmp eq i32 %3, 0
  %22 = load float, ptr %6, align 4
  %23 = load float, ptr %7, align 4
  br i1 %21, label %27, label %24

24:
  %25 = fcmp ogt float %22, %23
  %26 = fcmp ogt float %23, %22
  br label %70

27:
  %28 = fcmp olt float %22, %23
  %29 = fcmp olt float %23, %22
  br label %70

30:
  %31 = add i8 %9, -1
  %32 = icmp ult i8 %31, 24
  %33 = icmp eq i8 %9, 39
  %34 = or i1 %33, %32
  br i1 %34, label %35, label %69

35:
  %36 = getelementptr inbounds i8, ptr %0, i64 8
  %37 = load i64, ptr %36, align 8
  %38 = icmp ugt i64 %37, 8
  br i1 %38, label %69, label %39

39:
  switch i64 %37, label %52 [    i64 8, label %40    i64 4, label %43    i64 2, label %47  ]

40:
  %41 = load i64, ptr %6, align 8
  %42 = load i64, ptr %7, align 8
  br label %61

43:
  %44 = load i32, ptr %6, align 4
  %45 = sext i32 %44 to i64
  %46 = load i32, ptr %7, align 4
  br label %57

47:
  %48 = load i16, ptr %6, align 2
  %49 = sext i16 %48 to i64
  %50 = load i16, ptr %7, align 2
  %51 = sext i16 %50 to i32
  br label %57

52:
  %53 = load i8, ptr %6, align 1
  %54 = sext i8 %53 to i64
  %55 = load i8, ptr %7, align 1
  %56 = sext i8 %55 to i32
  br label %57

57:
  %58 = phi i64 [ %45, %43 ], [ %49, %47 ], [ %54, %52 ]
  %59 = phi i32 [ %46, %43 ], [ %51, %47 ], [ %56, %52 ]
  %60 = sext i32 %59 to i64
  br label %61

61:
  %62 = phi i64 [ %41, %40 ], [ %58, %57 ]
  %63 = phi i64 [ %42, %40 ], [ %60, %57 ]
  %64 = icmp eq i32 %3, 0
  %65 = icmp sgt i64 %62, %63
  %66 = icmp slt i64 %62, %63
  %67 = select i1 %64, i1 %66, i1 %65
  %68 = select i1 %64, i1 %65, i1 %66
  br label %70

69:
  call void @_FortranAElementsOfAnotherKind()
  br label %70

70:
  %71 = phi i1 [ false, %69 ], [ %19, %17 ], [ %68, %61 ], [ %16, %14 ], [ %26, %24 ], [ %29, %27 ]
  %72 = phi i1 [ false, %69 ], [ %18, %17 ], [ %67, %61 ], [ %15, %14 ], [ %25, %24 ], [ %28, %27 ]
  %73 = icmp eq i32 %4, 0
  br i1 %73, label %76, label %74

74:
  %75 = xor i1 %71, true
  br label %76

76:
  %77 = phi i1 [ %75, %74 ], [ %72, %70 ]
  %78 = zext i1 %77 to i32
  ret i32 %78
}
declare void @_FortranAReportFatalUserError(ptr, ptr, i32)
define internal void @gradir.library.d_multiply(i64 %0, i64 %1, i64 %2, ptr %3, ptr byval(%struct.d_matrix) %4, ptr byval(%struct.d_matrix) %5, ptr %6, ptr %7, i64 %8) {
9:
  %10 = getelementptr inbounds i8, ptr %4, i64 24
  %11 = load i32, ptr %10, align 8
  %12 = icmp eq i32 %11, 1
  br i1 %12, label %13, label %79

13:
  %14 = icmp sgt i64 %1, 0
  br i1 %14, label %15, label %174

15:
  %16 = icmp sgt i64 %0, 0
  %17 = icmp sgt i64 %2, 0
  %18 = load ptr, ptr %5, align 8
  %19 = getelementptr inbounds i8, ptr %5, i64 8
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %5, i64 16
  %22 = load i64, ptr %21, align 8
  %23 = load ptr, ptr %4, align 8
  %24 = getelementptr inbounds i8, ptr %4, i64 8
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr inbounds i8, ptr %4, i64 16
  %27 = load i64, ptr %26, align 8
  br label %28

28:
  %29 = phi i64 [ 0, %15 ], [ %53, %52 ]
  br i1 %16, label %30, label %33

30:
  %31 = mul nsw i64 %29, %8
  %32 = getelementptr double, ptr %7, i64 %31
  br label %39

33:
  br i1 %17, label %34, label %52

34:
  %35 = mul nsw i64 %22, %29
  %36 = getelementptr double, ptr %18, i64 %35
  %37 = mul nsw i64 %29, %8
  %38 = getelementptr double, ptr %7, i64 %37
  br label %55

39:
  %40 = phi i64 [ 0, %30 ], [ %50, %47 ]
  %41 = load double, ptr %6, align 8
  %42 = fcmp oeq double %41, 0.000000e+00
  br i1 %42, label %47, label %43

43:
  %44 = getelementptr double, ptr %32, i64 %40
  %45 = load double, ptr %44, align 8
  %46 = fmul double %41, %45
  br label %47

47:
  %48 = phi double [ %46, %43 ], [ 0.000000e+00, %39 ]
  %49 = getelementptr double, ptr %32, i64 %40
  store double %48, ptr %49, align 8
  %50 = add nsw i64 %40, 1
  %51 = icmp eq i64 %50, %0
  br i1 %51, label %33, label %39

52:
  %53 = add nsw i64 %29, 1
  %54 = icmp eq i64 %53, %1
  br i1 %54, label %174, label %28

55:
  %56 = phi i64 [ 0, %34 ], [ %66, %65 ]
  %57 = load double, ptr %3, align 8
  %58 = mul nsw i64 %20, %56
  %59 = getelementptr double, ptr %36, i64 %58
  %60 = load double, ptr %59, align 8
  %61 = fmul double %57, %60
  br i1 %16, label %62, label %65

62:
  %63 = mul nsw i64 %27, %56
  %64 = getelementptr double, ptr %23, i64 %63
  br label %68

65:
  %66 = add nsw i64 %56, 1
  %67 = icmp eq i64 %66, %2
  br i1 %67, label %52, label %55

68:
  %69 = phi i64 [ 0, %62 ], [ %77, %68 ]
  %70 = mul nsw i64 %25, %69
  %71 = getelementptr double, ptr %64, i64 %70
  %72 = load double, ptr %71, align 8
  %73 = fmul double %61, %72
  %74 = getelementptr double, ptr %38, i64 %69
  %75 = load double, ptr %74, align 8
  %76 = fadd double %75, %73
  store double %76, ptr %74, align 8
  %77 = add nsw i64 %69, 1
  %78 = icmp eq i64 %77, %0
  br i1 %78, label %65, label %68

79:
  %80 = load double, ptr %3, align 8
  %81 = getelementptr inbounds i8, ptr %3, i64 8
  %82 = load double, ptr %81, align 8
  %83 = load double, ptr %6, align 8
  %84 = getelementptr inbounds i8, ptr %6, i64 8
  %85 = load double, ptr %84, align 8
  %86 = icmp sgt i64 %1, 0
  br i1 %86, label %87, label %174

87:
  %88 = icmp sgt i64 %0, 0
  %89 = icmp sgt i64 %2, 0
  %90 = load ptr, ptr %4, align 8
  %91 = getelementptr inbounds i8, ptr %4, i64 8
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds i8, ptr %4, i64 16
  %94 = load i64, ptr %93, align 8
  %95 = load ptr, ptr %5, align 8
  %96 = getelementptr inbounds i8, ptr %5, i64 8
  %97 = load i64, ptr %96, align 8
  %98 = getelementptr inbounds i8, ptr %5, i64 16
  %99 = load i64, ptr %98, align 8
  %100 = getelementptr inbounds i8, ptr %4, i64 32
  %101 = load double, ptr %100, align 8
  %102 = getelementptr inbounds i8, ptr %5, i64 32
  %103 = load double, ptr %102, align 8
  %104 = fcmp oeq double %83, 0.000000e+00
  %105 = fcmp oeq double %85, 0.000000e+00
  %106 = select i1 %104, i1 %105, i1 false
  br label %107

107:
  %108 = phi i64 [ 0, %87 ], [ %114, %113 ]
  br i1 %88, label %109, label %113

109:
  %110 = mul nsw i64 %108, %8
  %111 = mul nsw i64 %99, %108
  %112 = getelementptr double, ptr %95, i64 %111
  br label %116

113:
  %114 = add nsw i64 %108, 1
  %115 = icmp eq i64 %114, %1
  br i1 %115, label %174, label %107

116:
  %117 = phi i64 [ 0, %109 ], [ %146, %127 ]
  %118 = add nsw i64 %117, %110
  %119 = shl nsw i64 %118, 4
  %120 = getelementptr inbounds i8, ptr %7, i64 %119
  %121 = load double, ptr %120, align 8
  %122 = getelementptr inbounds i8, ptr %120, i64 8
  %123 = load double, ptr %122, align 8
  br i1 %89, label %124, label %127

124:
  %125 = mul nsw i64 %92, %117
  %126 = getelementptr inbounds double, ptr %90, i64 %125
  br label %148

127:
  %128 = phi double [ 0.000000e+00, %116 ], [ %171, %148 ]
  %129 = phi double [ 0.000000e+00, %116 ], [ %170, %148 ]
  %130 = fmul double %80, %129
  %131 = fmul double %82, %128
  %132 = fsub double %130, %131
  %133 = fmul double %80, %128
  %134 = fmul double %82, %129
  %135 = fadd double %133, %134
  %136 = fmul double %83, %121
  %137 = fmul double %85, %123
  %138 = fsub double %136, %137
  %139 = fmul double %83, %123
  %140 = fmul double %85, %121
  %141 = fadd double %140, %139
  %142 = select i1 %106, double 0.000000e+00, double %138
  %143 = fadd double %142, %132
  store double %143, ptr %120, align 8
  %144 = select i1 %106, double 0.000000e+00, double %141
  %145 = fadd double %144, %135
  store double %145, ptr %122, align 8
  %146 = add nsw i64 %117, 1
  %147 = icmp eq i64 %146, %0
  br i1 %147, label %113, label %116

148:
  %149 = phi double [ 0.000000e+00, %124 ], [ %170, %148 ]
  %150 = phi double [ 0.000000e+00, %124 ], [ %171, %148 ]
  %151 = phi i64 [ 0, %124 ], [ %172, %148 ]
  %152 = mul nsw i64 %94, %151
  %153 = getelementptr inbounds double, ptr %126, i64 %152
  %154 = mul nsw i64 %97, %151
  %155 = getelementptr double, ptr %112, i64 %154
  %156 = load double, ptr %153, align 8
  %157 = getelementptr inbounds i8, ptr %153, i64 8
  %158 = load double, ptr %157, align 8
  %159 = fmul double %101, %158
  %160 = load double, ptr %155, align 8
  %161 = getelementptr inbounds i8, ptr %155, i64 8
  %162 = load double, ptr %161, align 8
  %163 = fmul double %103, %162
  %164 = fmul double %156, %160
  %165 = fmul double %159, %163
  %166 = fsub double %164, %165
  %167 = fmul double %156, %163
  %168 = fmul double %159, %160
  %169 = fadd double %168, %167
  %170 = fadd double %149, %166
  %171 = fadd double %150, %169
  %172 = add nsw i64 %151, 1
  %173 = icmp eq i64 %172, %2
  br i1 %173, label %127, label %148

174:
  ret void
}
define internal void @gradir.library.s_multiply(i64 %0, i64 %1, i64 %2, ptr %3, ptr byval(%struct.s_matrix) %4, ptr byval(%struct.s_matrix) %5, ptr %6, ptr %7, i64 %8) {
9:
  %10 = getelementptr inbounds i8, ptr %4, i64 24
  %11 = load i32, ptr %10, align 8
  %12 = icmp eq i32 %11, 1
  br i1 %12, label %13, label %79

13:
  %14 = icmp sgt i64 %1, 0
  br i1 %14, label %15, label %178

15:
  %16 = icmp sgt i64 %0, 0
  %17 = icmp sgt i64 %2, 0
  %18 = load ptr, ptr %5, align 8
  %19 = getelementptr inbounds i8, ptr %5, i64 8
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %5, i64 16
  %22 = load i64, ptr %21, align 8
  %23 = load ptr, ptr %4, align 8
  %24 = getelementptr inbounds i8, ptr %4, i64 8
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr inbounds i8, ptr %4, i64 16
  %27 = load i64, ptr %26, align 8
  br label %28

28:
  %29 = phi i64 [ 0, %15 ], [ %53, %52 ]
  br i1 %16, label %30, label %33

30:
  %31 = mul nsw i64 %29, %8
  %32 = getelementptr float, ptr %7, i64 %31
  br label %39

33:
  br i1 %17, label %34, label %52

34:
  %35 = mul nsw i64 %22, %29
  %36 = getelementptr float, ptr %18, i64 %35
  %37 = mul nsw i64 %29, %8
  %38 = getelementptr float, ptr %7, i64 %37
  br label %55

39:
  %40 = phi i64 [ 0, %30 ], [ %50, %47 ]
  %41 = load float, ptr %6, align 4
  %42 = fcmp oeq float %41, 0.000000e+00
  br i1 %42, label %47, label %43

43:
  %44 = getelementptr float, ptr %32, i64 %40
  %45 = load float, ptr %44, align 4
  %46 = fmul float %41, %45
  br label %47

47:
  %48 = phi float [ %46, %43 ], [ 0.000000e+00, %39 ]
  %49 = getelementptr float, ptr %32, i64 %40
  store float %48, ptr %49, align 4
  %50 = add nsw i64 %40, 1
  %51 = icmp eq i64 %50, %0
  br i1 %51, label %33, label %39

52:
  %53 = add nsw i64 %29, 1
  %54 = icmp eq i64 %53, %1
  br i1 %54, label %178, label %28

55:
  %56 = phi i64 [ 0, %34 ], [ %66, %65 ]
  %57 = load float, ptr %3, align 4
  %58 = mul nsw i64 %20, %56
  %59 = getelementptr float, ptr %36, i64 %58
  %60 = load float, ptr %59, align 4
  %61 = fmul float %57, %60
  br i1 %16, label %62, label %65

62:
  %63 = mul nsw i64 %27, %56
  %64 = getelementptr float, ptr %23, i64 %63
  br label %68

65:
  %66 = add nsw i64 %56, 1
  %67 = icmp eq i64 %66, %2
  br i1 %67, label %52, label %55

68:
  %69 = phi i64 [ 0, %62 ], [ %77, %68 ]
  %70 = mul nsw i64 %25, %69
  %71 = getelementptr float, ptr %64, i64 %70
  %72 = load float, ptr %71, align 4
  %73 = fmul float %61, %72
  %74 = getelementptr float, ptr %38, i64 %69
  %75 = load float, ptr %74, align 4
  %76 = fadd float %75, %73
  store float %76, ptr %74, align 4
  %77 = add nsw i64 %69, 1
  %78 = icmp eq i64 %77, %0
  br i1 %78, label %65, label %68

79:
  %80 = load float, ptr %3, align 4
  %81 = getelementptr inbounds i8, ptr %3, i64 4
  %82 = load float, ptr %81, align 4
  %83 = load float, ptr %6, align 4
  %84 = getelementptr inbounds i8, ptr %6, i64 4
  %85 = load float, ptr %84, align 4
  %86 = icmp sgt i64 %1, 0
  br i1 %86, label %87, label %178

87:
  %88 = icmp sgt i64 %0, 0
  %89 = icmp sgt i64 %2, 0
  %90 = load ptr, ptr %4, align 8
  %91 = getelementptr inbounds i8, ptr %4, i64 8
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds i8, ptr %4, i64 16
  %94 = load i64, ptr %93, align 8
  %95 = load ptr, ptr %5, align 8
  %96 = getelementptr inbounds i8, ptr %5, i64 8
  %97 = load i64, ptr %96, align 8
  %98 = getelementptr inbounds i8, ptr %5, i64 16
  %99 = load i64, ptr %98, align 8
  %100 = getelementptr inbounds i8, ptr %4, i64 28
  %101 = load float, ptr %100, align 4
  %102 = getelementptr inbounds i8, ptr %5, i64 28
  %103 = load float, ptr %102, align 4
  %104 = fcmp oeq float %83, 0.000000e+00
  %105 = fcmp oeq float %85, 0.000000e+00
  %106 = select i1 %104, i1 %105, i1 false
  br label %107

107:
  %108 = phi i64 [ 0, %87 ], [ %114, %113 ]
  br i1 %88, label %109, label %113

109:
  %110 = mul nsw i64 %108, %8
  %111 = mul nsw i64 %99, %108
  %112 = getelementptr float, ptr %95, i64 %111
  br label %116

113:
  %114 = add nsw i64 %108, 1
  %115 = icmp eq i64 %114, %1
  br i1 %115, label %178, label %107

116:
  %117 = phi i64 [ 0, %109 ], [ %147, %127 ]
  %118 = add nsw i64 %117, %110
  %119 = shl nsw i64 %118, 3
  %120 = getelementptr inbounds i8, ptr %7, i64 %119
  %121 = load float, ptr %120, align 4
  %122 = getelementptr inbounds i8, ptr %120, i64 4
  %123 = load float, ptr %122, align 4
  br i1 %89, label %124, label %127

124:
  %125 = mul nsw i64 %92, %117
  %126 = getelementptr inbounds float, ptr %90, i64 %125
  br label %149

127:
  %128 = phi <2 x float> [ zeroinitializer, %116 ], [ %175, %149 ]
  %129 = extractelement <2 x float> %128, i64 0
  %130 = fmul float %80, %129
  %131 = extractelement <2 x float> %128, i64 1
  %132 = fmul float %82, %131
  %133 = fsub float %130, %132
  %134 = fmul float %80, %131
  %135 = fmul float %82, %129
  %136 = fadd float %134, %135
  %137 = fmul float %83, %121
  %138 = fmul float %85, %123
  %139 = fsub float %137, %138
  %140 = fmul float %83, %123
  %141 = fmul float %85, %121
  %142 = fadd float %141, %140
  %143 = select i1 %106, float 0.000000e+00, float %139
  %144 = fadd float %143, %133
  store float %144, ptr %120, align 4
  %145 = select i1 %106, float 0.000000e+00, float %142
  %146 = fadd float %145, %136
  store float %146, ptr %122, align 4
  %147 = add nsw i64 %117, 1
  %148 = icmp eq i64 %147, %0
  br i1 %148, label %113, label %116

149:
  %150 = phi i64 [ 0, %124 ], [ %176, %149 ]
  %151 = phi <2 x float> [ zeroinitializer, %124 ], [ %175, %149 ]
  %152 = mul nsw i64 %94, %150
  %153 = getelementptr inbounds float, ptr %126, i64 %152
  %154 = mul nsw i64 %97, %150
  %155 = getelementptr float, ptr %112, i64 %154
  %156 = load float, ptr %153, align 4
  %157 = getelementptr inbounds i8, ptr %153, i64 4
  %158 = load float, ptr %157, align 4
  %159 = fmul float %101, %158
  %160 = load float, ptr %155, align 4
  %161 = getelementptr inbounds i8, ptr %155, i64 4
  %162 = load float, ptr %161, align 4
  %163 = fmul float %103, %162
  %164 = fmul float %156, %160
  %165 = fmul float %159, %163
  %166 = fsub float %164, %165
  %167 = fmul float %156, %163
  %168 = fmul float %159, %160
  %169 = fadd float %168, %167
  %170 = extractelement <2 x float> %151, i64 0
  %171 = fadd float %170, %166
  %172 = insertelement <2 x float> poison, float %171, i64 0
  %173 = extractelement <2 x float> %151, i64 1
  %174 = fadd float %173, %169
  %175 = insertelement <2 x float> %172, float %174, i64 1
  %176 = add nsw i64 %150, 1
  %177 = icmp eq i64 %176, %2
  br i1 %177, label %127, label %149

178:
  ret void
}
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.abs.i32(i32, i1)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i32 @llvm.smin.i32(i32, i32)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i32 @llvm.smax.i32(i32, i32)
