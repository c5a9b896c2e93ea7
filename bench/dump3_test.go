package bench
import ("testing";"context";"fmt";"os";"strconv";"time";"slices";"github.com/jackc/pgx/v5/pgconn";"math/rand/v2")
func TestMicro(t *testing.T){
 ctx:=context.Background()
 rounds,_:=strconv.Atoi(os.Getenv("ROUNDS")); if rounds==0 {rounds=15}
 o:=(&Options{Database:"bench", Slice:50*time.Millisecond, Workers:1}).withDefaults()
 d,err:=open(ctx,o); if err!=nil {t.Fatal(err)}
 const n=50
 full9:=sqls[len(sqls)-1]
 _ = full9
 list:=append(sqls[:0:0],sqls[2:]...)
 list=append(list, extra...)
 cost:=map[string][]float64{}
 conns:=map[string]*pgconn.PgConn{}
 for _,s:=range list { u:=d.url; pg,err:=pgconn.Connect(ctx,u); if err!=nil {t.Fatal(err)}
   if s.conn!="" { if _,err:=pg.Exec(ctx,s.conn).ReadAll(); err!=nil {t.Fatal(err)} }
   if _,err:=pg.Prepare(ctx,"s",s.s,nil); err!=nil {t.Fatal(s.n,err)}
   conns[s.n]=pg }
 for r:=range rounds+1 { for _,k:=range rand.Perm(len(list)) { s:=list[k]; pg:=conns[s.n]
   var v [][]byte; for _,a:=range s.a {v=append(v,[]byte(a))}
   b,_:=spent(int(pg.PID()))
   for range 4 {
   p:=pg.StartPipeline(ctx)
   for range n { p.SendQueryPrepared("s",v,nil,nil); p.SendPipelineSync() }
   p.Flush()
   for { res,err:=p.GetResults(); if err!=nil {t.Fatal(s.n, err)}; if res==nil {break}; if rr,ok:=res.(*pgconn.ResultReader); ok { if _,err:=rr.Close(); err!=nil {t.Fatal(s.n,err)}} }
   if err:=p.Close(); err!=nil {t.Fatal(err)}
   }
   a,_:=spent(int(pg.PID()))
   if r>0 { cost[s.n]=append(cost[s.n],float64(a-b)/1000/(4*n)) } } }
 for _,s:=range list { c:=cost[s.n]; slices.Sort(c); fmt.Printf("%-14s p10 %.2f med %.2f\n",s.n,c[len(c)/10],median(c)) }
}
var extra = []struct{n, s string; a []string; conn string}{
 {"ro only","SELECT pg_catalog.set_config('transaction_read_only', 'on', true)",nil,""},
 {"stmt only","SELECT pg_catalog.set_config('statement_timeout', $1, true)",[]string{"5000"},""},
 {"lock only","SELECT pg_catalog.set_config('lock_timeout', $1, true)",[]string{"500"},""},
 {"path only","SELECT pg_catalog.set_config('search_path', $1, true)",[]string{`pg_catalog, "public"`},""},
 {"tz only","SELECT pg_catalog.set_config('TimeZone', 'UTC', true)",nil,""},
 {"tz case only","SELECT CASE WHEN pg_catalog.current_setting('TimeZone') <> 'UTC' THEN pg_catalog.set_config('TimeZone', 'UTC', true) END",nil,"SET timezone='UTC'"},
 {"datestyle case","SELECT CASE WHEN pg_catalog.current_setting('DateStyle') <> 'ISO, MDY' THEN pg_catalog.set_config('DateStyle', 'ISO, MDY', true) END",nil,""},
 {"monetary only","SELECT pg_catalog.set_config('lc_monetary', 'C', true)",nil,""},
 {"monetary case","SELECT CASE WHEN pg_catalog.current_setting('lc_monetary') <> 'C' THEN pg_catalog.set_config('lc_monetary', 'C', true) END",nil,"SET lc_monetary='C'"},
 {"stmt case","SELECT CASE WHEN pg_catalog.current_setting('statement_timeout') <> $1 THEN pg_catalog.set_config('statement_timeout', $1, true) END",[]string{"5s"},"SET statement_timeout=5000"},
}
